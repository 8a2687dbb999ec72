// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mapreduce.nodemanager.classes.RewrittenClassFiles;

class EngineScriptTest {

  @TempDir private Path node;

  private String run(List<String> command, Map<String, String> ofNode, Map<String, String> own)
      throws Exception {
    Path home = node.resolve("it's home");
    Path output = node.resolve("out");
    EngineLauncher.Places places =
        new EngineLauncher.Places(
            home, home.resolve("agent.jar"), node, node.resolve("kept/classes-tasks-new"));
    Path ahead = Files.writeString(node.resolve("ahead"), "rewritten ahead");
    RewrittenClassFiles.Kept kept =
        new RewrittenClassFiles.Kept("classes-tasks-", "classes-tasks-new", Optional.of(ahead));
    String text = new EngineScript(places, output, kept).text(command, ofNode, own);
    Path script = Files.writeString(node.resolve("script"), text);
    Process shell = new ProcessBuilder("bash", script.toString()).start();
    assertThat(shell.waitFor()).as(Files.readString(output)).isZero();
    return Files.readString(output);
  }

  @Test
  void theEngineHasTheNodesVariablesAndNoOthers() throws Exception {
    String said =
        run(
            List.of("/usr/bin/env"),
            Map.of(
                "HADOOP_CONF_DIR", "/etc/conf",
                "LANG", "C",
                "NM_PASSWORD", "hidden",
                "HADOOP_OPTS", "-Dkey=hidden"),
            Map.of("USER", "a'b $(id)"));
    assertThat(said.lines())
        .contains("HADOOP_CONF_DIR=/etc/conf", "LANG=C", "USER=a'b $(id)")
        .noneMatch(line -> line.contains("hidden"));
  }

  @Test
  void wordsArriveAsTheyAreInItsFolder() throws Exception {
    Files.createDirectories(node.resolve("kept"));
    Path old = Files.createFile(node.resolve("kept/classes-tasks-old"));
    Path others = Files.createFile(node.resolve("kept/classes-appmasters-x"));
    String said =
        run(
            List.of("/bin/sh", "-c", "umask; pwd; printf '<%s>' \"$@\"", "x", "a b", "$HOME", "'"),
            Map.of("PATH", "/usr/bin:/bin"),
            Map.of());
    assertThat(said).contains("0027\n", "it's home/empty\n").endsWith("<a b><$HOME><'>");
    assertThat(old).doesNotExist();
    assertThat(others).exists();
    assertThat(node.resolve("kept/classes-tasks-new")).hasContent("rewritten ahead");
    assertThat(Files.size(node.resolve("it's home/agent.jar"))).isPositive();
  }
}
