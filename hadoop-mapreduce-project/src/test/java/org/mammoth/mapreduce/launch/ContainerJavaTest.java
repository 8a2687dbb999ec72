// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerJavaTest {

  private static final String USUAL = "$JAVA_HOME/bin/java";

  @TempDir private Path dir;
  private String node;
  private String other;

  @BeforeEach
  void install() throws IOException {
    node = java("jdk-17");
    other = java("jdk-21");
  }

  private String java(String home) throws IOException {
    Files.createDirectories(dir.resolve(home).resolve("bin"));
    Files.createFile(dir.resolve(home).resolve("bin/java"));
    return dir.resolve(home).toString();
  }

  private Optional<String> judge(String command, Map<String, String> ofContainer) {
    Map<String, String> inherited = Map.of("JAVA_HOME", node);
    return ContainerJava.reasonAgainst(
        command, new ContainerEnvironment(inherited, ofContainer), Optional.of(node));
  }

  @Test
  void theNodesJavaIsTheEngines() throws IOException {
    assertThat(judge(USUAL, Map.of())).isEmpty();
    assertThat(judge(USUAL, Map.of("JAVA_HOME", node))).isEmpty();
    Path link = Files.createSymbolicLink(dir.resolve("default"), Path.of(node));
    assertThat(judge(USUAL, Map.of("JAVA_HOME", link.toString()))).isEmpty();
    assertThat(judge(node + "/bin/java", Map.of())).isEmpty();
  }

  @Test
  void aJavaOfTheJobsOwnNeedsAProcess() {
    assertThat(judge(USUAL, Map.of("JAVA_HOME", other)))
        .contains("it runs on a Java of its own: " + other + "/bin/java");
    assertThat(judge(USUAL, Map.of("HOME_OF_IT", other, "JAVA_HOME", "$HOME_OF_IT"))).isPresent();
    assertThat(judge(other + "/bin/java", Map.of())).isPresent();
    assertThat(judge(USUAL, Map.of("JAVA_HOME", "/not/there"))).isPresent();
  }

  @Test
  void itsClassesAndArchiveAreTheNodes() {
    assertThat(ContainerJava.isOfContainer(Map.of(), node)).isFalse();
    assertThat(ContainerJava.isOfContainer(Map.of("JAVA_HOME", node), node)).isFalse();
    assertThat(ContainerJava.isOfContainer(Map.of("JAVA_HOME", other), node)).isTrue();
  }
}
