// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Daemons and clients on Java 11 load the jars of the release. What these name of a later Java, the
 * list java-11.txt has: it is of engines alone, which have a Java of their own.
 */
class Java11Test {

  private static final Path RELEASE = Path.of(System.getProperty("census.release"));
  private static final Path KNOWN = Path.of("link", "java-11.txt");

  @Test
  void jarsNameNothingOfALaterJavaButInEngines() throws IOException {
    List<Path> ours = LinkCheck.ours(RELEASE.resolve("mammoth"));
    List<Path> jars = new ArrayList<>(ours);
    try (Stream<Path> files = Files.walk(RELEASE)) {
      files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(file -> !file.startsWith(RELEASE.resolve("mammoth/console")))
          .sorted()
          .forEach(jars::add);
    }
    try (Platform java11 = Platform.ofRelease(11)) {
      Set<String> problems =
          LinkCheck.problems(
              ours, new ClassPath(jars, java11), new ClassPath(jars, Platform.ofThisJvm()));
      assertThat(problems)
          .as("what is used of a later Java, and not in " + KNOWN.toAbsolutePath())
          .isEqualTo(known());
    }
  }

  @Test
  void classFilesAreOfJava11() throws IOException {
    for (Path jar : LinkCheck.ours(RELEASE.resolve("mammoth"))) {
      Set<Integer> versions =
          ClassPath.classesOf(jar).values().stream()
              .map(code -> (code[6] & 0xff) << 8 | code[7] & 0xff)
              .collect(Collectors.toSet());
      assertThat(versions).as(jar.toString()).containsExactly(11 + 44);
    }
  }

  @Test
  void anOlderReleaseLacksWhatCameLater() throws IOException {
    try (Platform java11 = Platform.ofRelease(11)) {
      assertThat(java11.find("java/lang/String")).isNotNull();
      assertThat(java11.find("java/lang/Record")).isNull();
    }
    assertThat(Platform.ofThisJvm().find("java/lang/Record")).isNotNull();
    assertThatThrownBy(() -> Platform.ofRelease(35)).hasMessageContaining("nothing of Java 35");
  }

  private static Set<String> known() throws IOException {
    try (Stream<String> lines = Files.lines(KNOWN)) {
      return lines
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
