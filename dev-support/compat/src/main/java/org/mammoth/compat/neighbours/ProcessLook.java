// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Environment, system properties and children. */
final class ProcessLook {
  private ProcessLook() {}

  static void look(Report report) {
    report.tellEach("env", () -> new TreeMap<>(System.getenv()));
    report.tell("env-one.PATH", () -> System.getenv("PATH"));
    report.tellEach("builder-env", () -> beyondOwn(new ProcessBuilder("env").environment()));
    report.tellEach("child-env", () -> beyondOwn(variables(new ProcessBuilder("env").start())));
    report.tellEach("exec-env", () -> beyondOwn(variables(Runtime.getRuntime().exec("env"))));
    report.tellEach(
        "property",
        () -> {
          Map<String, String> properties = new TreeMap<>();
          for (String name : System.getProperties().stringPropertyNames()) {
            properties.put(name, System.getProperty(name));
          }
          return properties;
        });
    report.tell("charset", Charset::defaultCharset);
    report.tell("security-manager", () -> String.valueOf(System.getSecurityManager()));
    report.tell(
        "builder-inherit",
        () ->
            new ProcessBuilder("echo", LogLook.SAYS + " inherited").inheritIO().start().waitFor());
  }

  /** What a child has or lacks in comparison with the task itself. */
  private static Map<String, String> beyondOwn(Map<String, String> child) {
    Map<String, String> differences = new TreeMap<>();
    child.forEach(
        (name, value) -> {
          if (!value.equals(System.getenv(name))) {
            differences.put(name, value);
          }
        });
    System.getenv().keySet().stream()
        .filter(name -> !child.containsKey(name))
        .forEach(name -> differences.put(name, "missing"));
    return differences;
  }

  private static Map<String, String> variables(Process child) throws IOException {
    Map<String, String> variables = new HashMap<>();
    String text = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        variables.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return variables;
  }
}
