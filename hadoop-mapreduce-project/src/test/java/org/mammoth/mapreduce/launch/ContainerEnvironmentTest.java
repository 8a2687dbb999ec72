// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerEnvironmentTest {

  private static Map<String, String> variables(Map<String, String> ofContainer) {
    return new ContainerEnvironment(inherited(Map.of()), ofContainer).variables();
  }

  private static Map<String, String> inherited(Map<String, String> ofShell) {
    Configuration conf = new Configuration(false);
    conf.set("yarn.nodemanager.env-whitelist", "PATH,LANG,JAVA_HOME");
    Map<String, String> node = Map.of("PATH", "/bin", "JAVA_HOME", "/jdk", "SECRET", "x");
    return InheritedVariables.of(conf, node::get, ofShell);
  }

  @Test
  void theShellsOwnValuesComeFirst() {
    assertThat(inherited(Map.of("PATH", "/of/shell", "LANG", "", "SHLVL", "1")))
        .containsOnly(Map.entry("PATH", "/of/shell"), Map.entry("JAVA_HOME", "/jdk"));
  }

  @Test
  void theShellIsAskedWithoutVariablesOfTheNodeManager() throws Exception {
    ProcessBuilder empty = new ProcessBuilder("bash", "-c", "printf %s \"$PATH\"");
    empty.environment().clear();
    String ofShell = new String(empty.start().getInputStream().readAllBytes());
    Configuration conf = new Configuration(false);
    conf.set("yarn.nodemanager.env-whitelist", "PATH,SHLVL");
    assertThat(InheritedVariables.read(conf)).containsEntry("PATH", ofShell).containsKey("SHLVL");
  }

  @Test
  void inheritsTheWhitelistAlone() {
    assertThat(variables(Map.of("USER", "ann")))
        .containsOnly(
            Map.entry("PATH", "/bin"), Map.entry("JAVA_HOME", "/jdk"), Map.entry("USER", "ann"));
  }

  @Test
  void replacesReferencesWhateverTheirOrder() {
    assertThat(
            variables(
                Map.of(
                    "A",
                    "$B/a",
                    "B",
                    "${C}b",
                    "C",
                    "c",
                    "PATH",
                    "/own:$PATH",
                    "JAVA_HOME",
                    "/x",
                    "NONE",
                    "<$UNKNOWN>")))
        .containsEntry("A", "cb/a")
        .containsEntry("PATH", "/own:/own:$PATH") // as the script's shell, which starts with it
        .containsEntry("JAVA_HOME", "/x")
        .containsEntry("NONE", "<>");
  }

  @Test
  void circlesEnd() {
    assertThat(variables(Map.of("A", "a$B", "B", "b$A"))).containsKeys("A", "B");
  }

  private static Optional<String> reasonAgainst(String value) {
    Map<String, String> ofContainer = Map.of("PWD", "/local/c_1", "A", value);
    return new ContainerEnvironment(inherited(Map.of()), ofContainer).reasonAgainst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$(date)",
        "`date`",
        "${A:-b}",
        "$HOSTNAME",
        "a\\$b",
        "$?",
        "$5x",
        "$[1]",
        "$TERM",
        "$GROUPS",
        "$$",
        "/tmp/work-$$"
      })
  void leavesToTheShellWhatOnlyItKnows(String value) {
    assertThat(reasonAgainst(value))
        .hasValueSatisfying(reason -> assertThat(reason).contains("A needs a shell"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"$PWD:{{X}}", "${HADOOP_HOME}/lib", "$PATH:/x", "100 %", "a$"})
  void readsItselfWhatItCan(String value) {
    assertThat(reasonAgainst(value)).isEmpty();
  }

  /** The NodeManager gives it to each container; tasks have the engine's. */
  @Test
  void theScriptsProcessNeedsNoShell() {
    assertThat(new ContainerEnvironment(Map.of(), Map.of("JVM_PID", "$$")).reasonAgainst())
        .isEmpty();
    assertThat(new ContainerEnvironment(Map.of(), Map.of("JVM_PID", "x$$")).reasonAgainst())
        .isPresent();
  }
}
