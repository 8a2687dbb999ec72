// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.census.samples.Shared;

class ClassFilesTest {

  private static final String LAUNCHER = "../../hadoop-dist/src/main/libexec/hadoop-functions.sh";

  @TempDir private Path release;

  @Test
  void theRoomsAreThoseThatTheLauncherPutsOnTheClassPath() throws IOException {
    String script =
        "set -eu; . "
            + LAUNCHER
            + "; HADOOP_COMMON_HOME=. HADOOP_HDFS_HOME=. HADOOP_YARN_HOME=. HADOOP_MAPRED_HOME=."
            + " MAMMOTH_HOME=. HADOOP_COMMON_DIR=common HADOOP_COMMON_LIB_JARS_DIR=common/lib"
            + " HDFS_DIR=hdfs HDFS_LIB_JARS_DIR=hdfs/lib YARN_DIR=yarn YARN_LIB_JARS_DIR=yarn/lib"
            + " MAPRED_DIR=mapreduce MAPRED_LIB_JARS_DIR=mapreduce/lib MAMMOTH_DIR=mammoth;"
            + " launcher_rooms; printf '%s\\n' \"${launcher_jar_dirs[@]#./}\"";
    Process bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said.lines().toList()).isEqualTo(ClassFiles.ROOMS);
  }

  @Test
  void theFirstJarThatHasAClassCounts() throws IOException {
    String name = Shared.class.getName().replace('.', '/');
    writeJar("common/lib/avro-1.11.4.jar", name + ".class", new byte[] {1});
    writeJar("common/hadoop-common-3.4.2.jar", name + ".class", new byte[] {2});
    writeJar("tools/lib/gson-2.9.0.jar", "org/acme/Tool.class", new byte[] {3});
    ClassFiles files = ClassFiles.ofRelease(release);
    assertThat(files.names()).containsExactly(name);
    assertThat(files.code(name)).containsExactly(1);
    assertThat(files.jar(name)).isEqualTo("avro-1.11.4.jar");
  }

  @Test
  void aJarThatNobodyJudgedIsNotShared() throws IOException {
    writeJar("common/lib/acme-1.0.jar", "org/acme/Tool.class", new byte[] {1});
    writeJar("common/lib/avro-1.11.4.jar", "org/apache/avro/Schema.class", new byte[] {2});
    assertThat(ClassFiles.ofRelease(release).names()).containsExactly("org/apache/avro/Schema");
  }

  private void writeJar(String file, String entry, byte[] content) throws IOException {
    Path jar = release.resolve(file);
    Files.createDirectories(jar.getParent());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(entry));
      out.write(content);
    }
  }

  @Test
  void aReleaseWithoutJarsIsNone() {
    assertThatThrownBy(() -> ClassFiles.ofRelease(release))
        .hasMessageContaining("build the release first");
  }
}
