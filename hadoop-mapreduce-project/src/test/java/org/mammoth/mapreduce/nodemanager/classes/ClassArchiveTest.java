// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.EngineKeys;

/** An archive is used as the release's launchers use it: for the jars that it was made of only. */
class ClassArchiveTest {

  @TempDir private Path temp;
  private final Configuration conf = new Configuration(false);
  private String jars;

  @BeforeEach
  void release() throws IOException {
    Path own = Files.createDirectories(temp.resolve("share"));
    jars = own.resolve("hadoop.jar") + ":" + own.resolve("mammoth-mapreduce-1.jar");
    Files.writeString(own.resolve("BUILD"), "abc\n");
    Files.writeString(temp.resolve("client.jsa"), "archive");
    conf.set(EngineKeys.CDS_DIR.name(), temp.toString());
  }

  private void madeOf(String... lines) throws IOException {
    Files.writeString(temp.resolve("client.classpath"), String.join("\n", lines) + "\n");
  }

  @Test
  void itsJarsComeFirstAndEachOnce() throws IOException {
    madeOf(jars, "abc");
    ClassArchive archive = ClassArchive.find(conf).orElseThrow();
    String[] two = jars.split(":");
    assertThat(archive.inFrontOf("/etc/hadoop:" + two[1] + ":/more.jar:" + two[0]))
        .isEqualTo(jars + ":/etc/hadoop:/more.jar");
    assertThat(archive.options()).contains("-XX:SharedArchiveFile=" + temp.resolve("client.jsa"));
  }

  @Test
  void oneOfAnotherBuildIsNotUsed() throws IOException {
    madeOf(jars, "other");
    assertThat(ClassArchive.find(conf)).isEmpty();
    madeOf(jars);
    assertThat(ClassArchive.find(conf)).as("a list without its build").isEmpty();
  }

  @Test
  void jarsWithoutABuildAreOnesThatSaySo() throws IOException {
    Files.delete(temp.resolve("share/BUILD"));
    madeOf(jars, "none");
    assertThat(ClassArchive.find(conf)).isPresent();
  }
}
