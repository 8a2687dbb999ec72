// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarNamesTest {

  private static final FileTime TIME = FileTime.fromMillis(1_700_000_000_000L);

  @TempDir private Path folder;

  private final JarNames names = new JarNames(Set.of("core-site.xml", "yarn-site.xml"));

  private File jar(String... entries) throws IOException {
    return jarWithComment("", entries);
  }

  private File jarWithComment(String comment, String... entries) throws IOException {
    Path jar = folder.resolve("job.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.setComment(comment);
      for (String entry : entries) {
        out.putNextEntry(new ZipEntry(entry));
      }
    }
    Files.setLastModifiedTime(jar, TIME);
    return jar.toFile();
  }

  @Test
  void aJarIsOpenedOnceForAllContainersAndAgainWhenItIsAnother() throws IOException {
    File jar = jar("core-site.xml", "other");
    assertThat(names.in(jar)).containsExactly("core-site.xml");
    byte[] rubbish = new byte[(int) jar.length()];
    Files.write(jar.toPath(), rubbish);
    Files.setLastModifiedTime(jar.toPath(), TIME);
    assertThat(names.in(jar)).as("of what looks the same").containsExactly("core-site.xml");
    assertThat(names.in(jar("core-site.xml", "yarn-site.xml", "other")))
        .containsExactlyInAnyOrder("core-site.xml", "yarn-site.xml");
  }

  @Test
  void whatCouldNotBeOpenedOnceIsNotTakenForOneWithoutNames() throws IOException {
    Path folderOfItsName = Files.createDirectory(folder.resolve("job.jar"));
    Files.setLastModifiedTime(folderOfItsName, TIME);
    long length = folderOfItsName.toFile().length();
    assumeThat(length).as("bytes of a folder").isBetween(1_000L, 60_000L);
    assertThatThrownBy(() -> names.in(folderOfItsName.toFile()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("job.jar");
    Files.delete(folderOfItsName);
    int bare = (int) jar("core-site.xml").length();
    File jar = jarWithComment(" ".repeat((int) length - bare), "core-site.xml");
    assertThat(jar.length()).as("looks like the folder").isEqualTo(length);
    assertThat(names.in(jar)).containsExactly("core-site.xml");
  }

  @Test
  void whatIsNoJarHasNone() throws IOException {
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
    assertThat(names.in(text.toFile())).isEmpty();
    assertThat(names.in(folder.resolve("none.jar").toFile())).isEmpty();
  }
}
