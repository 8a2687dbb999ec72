// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandTest {

  /** Runs {@code env} as this command runs others, in a process with an environment of its own. */
  public static final class Main {
    private Main() {}

    /** Prints what {@code env} says. */
    public static void main(String[] args) throws Exception {
      Map<String, String> node = Map.of("HADOOP_HOME", "/of/the/node");
      List<String> words = Command.as("root", node, List.of("env"));
      System.out.println(Command.run(words, null, 60).output());
    }
  }

  @Test
  void daemonsGetNothingThatThisUsersShellHasForAnotherHadoop() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), Main.class.getName());
    builder
        .environment()
        .putAll(
            Map.of(
                "YARN_CONF_DIR", "/of/another",
                "HADOOP_HOME", "/of/another",
                "HADOOP_PID_DIR", "/of/another",
                "HADOOP_USER_CLASSPATH_FIRST", "true",
                "JDK_JAVA_OPTIONS", "-Dof.another=1",
                "ITS_OWN", "stays"));
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(said.lines())
        .contains("HADOOP_HOME=/of/the/node", "ITS_OWN=stays")
        .noneMatch(line -> line.contains("another"))
        .noneMatch(line -> line.startsWith("HADOOP_USER") || line.startsWith("JDK_"));
  }
}
