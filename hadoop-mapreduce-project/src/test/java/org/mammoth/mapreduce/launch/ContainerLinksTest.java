// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links of a container, compared with what the script's {@code ln -sf} makes of the same. */
class ContainerLinksTest {

  @TempDir File dir;

  private File archive;
  private File libraries;
  private File other;

  /** An unpacked archive and a jar of a wildcard's folder have the same name. */
  @BeforeEach
  void make() throws IOException {
    archive = new File(dir, "1/third.jar");
    libraries = new File(dir, "2/libs");
    other = new File(dir, "3/first");
    assertThat(archive.mkdirs() && libraries.mkdirs() && other.getParentFile().mkdirs()).isTrue();
    Files.createFile(new File(libraries, "third.jar").toPath());
    Files.createFile(new File(libraries, "second.jar").toPath());
    Files.createFile(other.toPath());
  }

  private static Map<Path, List<String>> resources(Object... filesAndNames) {
    Map<Path, List<String>> resources = new LinkedHashMap<>();
    for (int i = 0; i < filesAndNames.length; i += 2) {
      resources.put(
          new Path(((File) filesAndNames[i]).getPath()), List.of((String) filesAndNames[i + 1]));
    }
    return resources;
  }

  @Test
  void wildcardStandsForTheFilesOfItsFolder() {
    assertThat(ContainerLinks.of(resources(libraries, "libs/*")).targets())
        .containsOnlyKeys("second.jar", "third.jar");
  }

  @Test
  void ofOneNameItIsTheOneThatTheScriptLinks() throws Exception {
    check(resources(libraries, "libs/*", archive, "third.jar"));
    check(resources(archive, "third.jar", libraries, "libs/*"));
    check(resources(libraries, "libs/*", other, "third.jar"));
    check(resources(other, "third.jar", libraries, "libs/*"));
    check(resources(other, "second.jar", archive, "second.jar", libraries, "libs/*"));
  }

  /** Upstream's script links a file by the last of its names, wherever a job names it twice. */
  @Test
  void ofOneFileItIsTheNameThatTheScriptLinks() throws Exception {
    Map<Path, List<String>> twice = resources(other, "first", libraries, "libs/*");
    twice.put(new Path(other.getPath()), List.of("first", "alias"));
    assertThat(ContainerLinks.of(twice).targets())
        .containsOnlyKeys("alias", "second.jar", "third.jar");
    check(twice);
    twice.put(new Path(other.getPath()), List.of("alias", "first"));
    check(twice);
  }

  /** Runs what upstream's own executor writes for these resources. */
  private void check(Map<Path, List<String>> resources) throws Exception {
    File work = Files.createTempDirectory(dir.toPath(), "work").toFile();
    DefaultContainerExecutor executor = new DefaultContainerExecutor();
    executor.setConf(new Configuration());
    ByteArrayOutputStream script = new ByteArrayOutputStream();
    executor.writeLaunchEnv(
        script,
        Map.of(),
        resources,
        List.of("true"),
        new Path(dir.toURI()),
        "user",
        new LinkedHashSet<>());
    List<String> lines =
        script.toString(UTF_8).lines().filter(line -> line.startsWith("ln ")).toList();
    assertThat(lines).isNotEmpty();
    Process links =
        new ProcessBuilder("bash", "-c", String.join("\n", lines)).directory(work).start();
    assertThat(links.waitFor()).isZero();
    Map<String, File> targets = ContainerLinks.of(resources).targets();
    assertThat(targets).containsOnlyKeys(work.list());
    for (Map.Entry<String, File> each : targets.entrySet()) {
      assertThat(new File(work, each.getKey()).getCanonicalFile())
          .as(each.getKey())
          .isEqualTo(each.getValue().getCanonicalFile());
    }
  }
}
