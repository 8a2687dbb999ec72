// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewrittenClassFilesTest {

  @TempDir private Path temp;
  private Path jar;
  private Path classes;
  private Path ahead;
  private Path homes;

  @BeforeEach
  void start() throws IOException {
    jar = Files.writeString(temp.resolve("a.jar"), "a jar");
    classes = Files.createDirectories(temp.resolve("classes/org"));
    Files.writeString(classes.resolve("A.class"), "a class");
    ahead = Files.createDirectories(temp.resolve("cds"));
    homes = Files.createDirectories(temp.resolve("homes"));
  }

  /** A NodeManager that has just started. */
  private Path file(String role, String options) throws IOException {
    RewrittenClassFiles files = new RewrittenClassFiles(EngineJava.ofThisProcess());
    return files.in(homes, files.of(role, classPath(), Optional.of(ahead), options));
  }

  private String classPath() {
    return jar + ":" + temp.resolve("classes") + ":" + temp + "/none";
  }

  @Test
  void outlivesTheNodeManager() throws IOException {
    Path file = file("tasks", "");
    Files.writeString(file, "classes");
    assertThat(file("tasks", "")).isEqualTo(file).hasContent("classes");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void beginsWithWhatIsRewrittenAheadOfTheSameVersionAndOptions() throws IOException {
    String version = ClassPathVersion.of(classPath(), EngineJava.ofThisProcess());
    Files.writeString(ahead.resolve("rewritten-" + version + "-fast"), "of this version");
    Files.writeString(ahead.resolve("rewritten-of-another"), "of another");
    Path file = file("tasks", "-fast");
    assertThat(file).hasContent("of this version");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(file("tasks", "")).isEmptyFile();
    assertThat(file.getParent().toFile().list()).as("no unfinished file").hasSize(1);
  }

  @Test
  void whatEnginesHaveAddedStays() throws IOException {
    Path file = file("tasks", "");
    Files.writeString(file, "added");
    Files.writeString(
        ahead.resolve("rewritten-" + ClassPathVersion.of(classPath(), EngineJava.ofThisProcess())),
        "ahead");
    assertThat(file("tasks", "")).hasContent("added");
  }

  @Test
  void otherOptionsHaveAnotherFile() throws IOException {
    assertThat(file("tasks", "-fast")).isNotEqualTo(file("tasks", ""));
  }

  @Test
  void aJarOfTheSameLengthAndTimeIsAnotherOne() throws IOException {
    Path before = file("tasks", "");
    Path masters = file("masters", "");
    FileTime time = Files.getLastModifiedTime(jar);
    Path next = Files.writeString(temp.resolve("b.jar"), "b jar");
    Files.setLastModifiedTime(next, time);
    Files.delete(jar);
    Files.move(next, jar);
    assertThat(file("tasks", "")).isNotEqualTo(before).exists();
    assertThat(before).as("that of the earlier class path").doesNotExist();
    assertThat(masters).as("that of another role").exists();
  }

  @Test
  void aClassInAFolderCounts() throws IOException {
    Path before = file("tasks", "");
    Files.writeString(classes.resolve("B.class"), "another class");
    assertThat(file("tasks", "")).isNotEqualTo(before);
  }
}
