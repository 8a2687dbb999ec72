// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a launch script gives a container that does not set it itself: variables that {@code
 * yarn.nodemanager.env-whitelist} names. The script takes the NodeManager's value only where its
 * shell has none (upstream's ContainerLaunch writes {@code export PATH=${PATH:-"..."}}), and the
 * shell starts without the NodeManager's variables: so PATH is the one that shells are built with.
 */
public final class InheritedVariables {

  private static final Logger LOG = LoggerFactory.getLogger(InheritedVariables.class);
  private static final String TELL = "for n; do printf '%s=%s\\0' \"$n\" \"${!n}\"; done";

  private InheritedVariables() {}

  /** Asks a shell, once in a NodeManager's life. */
  public static Map<String, String> read(Configuration conf) {
    return of(conf, System::getenv, ofShell(names(conf)));
  }

  /**
   * Names and values.
   *
   * @param ofNodeManager a variable of the NodeManager's own process, null if it is not set
   * @param ofShell what a shell has that was given nothing
   */
  static Map<String, String> of(
      Configuration conf, UnaryOperator<String> ofNodeManager, Map<String, String> ofShell) {
    Map<String, String> variables = new HashMap<>();
    for (String name : names(conf)) {
      String own = ofShell.getOrDefault(name, "");
      String value = own.isEmpty() ? ofNodeManager.apply(name) : own;
      if (value != null) {
        variables.put(name, value);
      }
    }
    return Map.copyOf(variables);
  }

  private static List<String> names(Configuration conf) {
    String list =
        conf.get(YarnConfiguration.NM_ENV_WHITELIST, YarnConfiguration.DEFAULT_NM_ENV_WHITELIST);
    return Arrays.stream(list.split(",")).filter(name -> name.matches("\\w+")).toList();
  }

  private static Map<String, String> ofShell(List<String> names) {
    List<String> command = new ArrayList<>(List.of("bash", "-c", TELL, "bash"));
    command.addAll(names);
    ProcessBuilder shell = new ProcessBuilder(command).redirectErrorStream(true);
    shell.environment().clear();
    Map<String, String> variables = new HashMap<>();
    try {
      Process process = shell.start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      for (String each : said.split("\0")) {
        int equals = each.indexOf('=');
        if (equals > 0) {
          variables.put(each.substring(0, equals), each.substring(equals + 1));
        }
      }
    } catch (IOException e) {
      LOG.warn(
          "Tasks in engines have the NodeManager's PATH, as no shell tells its own: {}",
          e.toString());
    }
    return variables;
  }
}
