// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a daemon was started.
 *
 * @param user as whom
 * @param environment its environment; empty if this user may not read it
 * @param properties what its command line set with {@code -D}
 */
public record DaemonStart(
    String user, Map<String, String> environment, Map<String, String> properties)
    implements Variables {

  private static final String SET = "-D";

  /** What is not told is none. */
  public DaemonStart {
    environment = environment == null ? Map.of() : environment;
    properties = properties == null ? Map.of() : properties;
  }

  /** How a process was. */
  public static DaemonStart of(JavaProcess process) {
    Map<String, String> properties = new HashMap<>();
    for (String word : process.words()) {
      int equals = word.indexOf('=');
      if (word.startsWith(SET) && equals > 0) {
        properties.put(word.substring(SET.length(), equals), word.substring(equals + 1));
      }
    }
    return new DaemonStart(process.owner(), process.environment(), properties);
  }

  /** Of its variables and properties those with such names. */
  public DaemonStart only(List<String> variables, List<String> settings) {
    return new DaemonStart(user, only(environment, variables), only(properties, settings));
  }

  private static Map<String, String> only(Map<String, String> all, List<String> names) {
    Map<String, String> some = new HashMap<>(all);
    some.keySet().retainAll(names);
    return some;
  }

  @Override
  public String property(String name) {
    return switch (name) {
      case USER -> user;
      case "user.home" -> properties.getOrDefault(name, environment.get("HOME"));
      default -> properties.getOrDefault(name, System.getProperty(name));
    };
  }

  @Override
  public String environment(String name) {
    return environment.isEmpty() ? System.getenv(name) : environment.get(name);
  }
}
