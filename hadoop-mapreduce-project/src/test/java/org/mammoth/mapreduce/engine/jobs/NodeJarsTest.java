// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeJarsTest {
  @TempDir private Path dir;

  private Path jar(String name) throws IOException {
    Path jar = dir.resolve(name);
    Files.createDirectories(jar.getParent());
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, new Manifest()).close();
    }
    return jar;
  }

  /** How many of this JVM's descriptors are of a file. */
  private static long open(Path file) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(each -> isOf(each, file)).count();
    }
  }

  private static boolean isOf(Path descriptor, Path file) {
    try {
      return Files.readSymbolicLink(descriptor).equals(file);
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @Test
  void theNodesAreKeptOpenAndTheJobsAreNot() throws IOException {
    Path hadoop = jar("lib/hadoop.jar");
    Path added = jar("lib/added.jar");
    Path ofJob = jar("job/job.jar");
    Path broken = Files.writeString(dir.resolve("lib/broken.jar"), "no jar");
    NodeJars jars = new NodeJars(hadoop.toString());
    List<String> all =
        Stream.of(added, ofJob, broken, dir.resolve("lib/missing.jar"), dir.resolve("lib"))
            .map(Path::toString)
            .toList();
    jars.keep(all);
    jars.keep(all);
    assertThat(open(added)).isEqualTo(1);
    assertThat(open(ofJob)).isZero();
    assertThat(open(broken)).isZero();
  }
}
