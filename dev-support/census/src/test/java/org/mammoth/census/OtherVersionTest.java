// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.census.samples.Shared;
import org.mammoth.engine.statics.StaticsAgent;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

class OtherVersionTest {

  private static final Path REVIEWED = Path.of("review");

  @TempDir private Path dir;
  private Path share;

  /** What an engine has of ours, as a release has it. */
  @BeforeEach
  void layOut() throws IOException {
    share = dir.resolve("share");
    Path ours = Files.createDirectories(share.resolve("mammoth"));
    pack(ours.resolve("mammoth-engine-0.jar"), placeOf(StaticsAgent.class), "");
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(each);
      if (jar.getFileName().toString().matches("asm-.*jar")) {
        Files.copy(jar, ours.resolve(jar.getFileName()));
      }
    }
  }

  private static Path placeOf(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  /** A jar of the classes of a folder below a package, or a copy of a jar. */
  private static void pack(Path jar, Path from, String within) throws IOException {
    if (Files.isRegularFile(from)) {
      Files.copy(from, jar);
      return;
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(from.resolve(within))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(from.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
  }

  private List<String> faults(Path jar) throws IOException {
    Path classPath = Files.writeString(dir.resolve("class-path"), jar.toString());
    Review release = new Review(ClassFiles.ofClasses(List.of()), REVIEWED);
    return new OtherVersion(classPath, share, REVIEWED).faults(release);
  }

  @Test
  void whatCodeChangesMustBeJudged() throws IOException {
    Path jar = dir.resolve("avro-1.jar");
    String samples = Shared.class.getPackageName().replace('.', '/');
    pack(jar, placeOf(Shared.class), samples);
    assertThat(faults(jar))
        .anyMatch(fault -> fault.startsWith("nobody has judged changed\tavro\t"))
        .anyMatch(fault -> fault.startsWith("nobody has judged written\tavro\t"))
        .noneMatch(fault -> fault.contains("does not link"));
  }

  @Test
  void aTasksOwnFieldMustBeThere() throws IOException {
    ClassWriter lacking = new ClassWriter(0);
    String name = "org/apache/hadoop/util/ExitUtil";
    lacking.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    Path jar = dir.resolve("hadoop-common-1.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new ZipEntry(name + ".class"));
      out.write(lacking.toByteArray());
    }
    assertThat(faults(jar))
        .hasSize(2)
        .contains(
            "org.apache.hadoop.util.ExitUtil systemExitDisabled is not there: mark it with ? in"
                + " task-statics.txt");
  }
}
