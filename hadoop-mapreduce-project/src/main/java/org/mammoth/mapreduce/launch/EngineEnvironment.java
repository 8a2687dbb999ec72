// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * The environment of engines: the NodeManager's, but that what decides on a JVM's locale, charset
 * and options is as in a container that sets nothing itself. A NodeManager may have such variables
 * for itself alone, and tasks would read and write other bytes by them than on stock.
 *
 * <p>Stateless.
 */
public final class EngineEnvironment {

  private static final Pattern OF_CONTAINERS =
      Pattern.compile(
          "LC_\\w+|LANG|LANGUAGE|TZ|TZDIR|_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS");

  private EngineEnvironment() {}

  /** Of engines that this NodeManager starts; asks a shell, which takes some milliseconds. */
  public static Map<String, String> read(Configuration conf) {
    return of(System.getenv(), InheritedVariables.read(conf));
  }

  /**
   * Names and values.
   *
   * @param inherited what a container has that sets nothing itself
   */
  static Map<String, String> of(Map<String, String> ofNodeManager, Map<String, String> inherited) {
    Map<String, String> variables = new HashMap<>(ofNodeManager);
    variables.keySet().removeIf(EngineEnvironment::isOfContainers);
    inherited.forEach(
        (name, value) -> {
          if (isOfContainers(name)) {
            variables.put(name, value);
          }
        });
    return variables;
  }

  private static boolean isOfContainers(String name) {
    return OF_CONTAINERS.matcher(name).matches();
  }
}
