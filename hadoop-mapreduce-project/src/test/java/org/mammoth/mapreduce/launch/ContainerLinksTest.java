// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
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
          new Path(((File) filesAndNames[i]).toURI()), List.of((String) filesAndNames[i + 1]));
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

  private void check(Map<Path, List<String>> resources) throws Exception {
    File work = Files.createTempDirectory(dir.toPath(), "work").toFile();
    for (Map.Entry<Path, List<String>> each : resources.entrySet()) {
      String target = each.getKey().toUri().getPath();
      String link = each.getValue().get(0);
      List<String> targets =
          link.endsWith("/*")
              ? ContainerLinks.filesOf(new File(target)).stream().map(File::getPath).toList()
              : List.of(target);
      for (String one : targets) {
        String name = link.endsWith("/*") ? new File(one).getName() : link;
        Process ln = new ProcessBuilder("ln", "-sf", "--", one, name).directory(work).start();
        assertThat(ln.waitFor()).isZero();
      }
    }
    Map<String, File> targets = ContainerLinks.of(resources).targets();
    assertThat(targets).containsOnlyKeys(work.list());
    for (Map.Entry<String, File> each : targets.entrySet()) {
      assertThat(new File(work, each.getKey()).getCanonicalFile())
          .as(each.getKey())
          .isEqualTo(each.getValue().getCanonicalFile());
    }
  }
}
