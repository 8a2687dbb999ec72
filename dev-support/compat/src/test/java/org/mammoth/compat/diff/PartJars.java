// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.diff;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.JobJar;

/**
 * Job jars of this module's jobs that name parts in META-INF/services, one jar for each choice of
 * parts. Thread-safe.
 */
public final class PartJars {
  private static final Path MODULE = Path.of(System.getProperty("mammoth.compat.jobs.classes"));

  private static final List<String> NAMES = List.of("codec", "scheme", "service");

  /** A part's name, and what a jar with it names. */
  private static final Map<String, List<String>> PARTS =
      Map.of(
          "codec",
          List.of(
              "org.apache.hadoop.io.compress.CompressionCodec",
              "org.mammoth.compat.neighbours.parts.RotCodec"),
          "scheme",
          List.of(
              "org.apache.hadoop.fs.FileSystem",
              "org.mammoth.compat.neighbours.parts.RotFileSystem"),
          "service",
          List.of("org.mammoth.compat.jobs.Parts$Salt", "org.mammoth.compat.jobs.Parts$Grain"));

  private final Path folder;
  private final Map<List<String>, JobCode> jars = new ConcurrentHashMap<>();

  /** Jars go to a folder when they are asked for. */
  public PartJars(Path folder) {
    this.folder = folder;
  }

  /** The parts of a seed's job: each in a third of all jobs. */
  public static List<String> of(long seed) {
    Random random = new Random(seed * 31 + 7);
    List<String> parts = new ArrayList<>();
    for (String part : NAMES) {
      if (random.nextInt(3) == 0) {
        parts.add(part);
      }
    }
    return parts;
  }

  /** The jar that names these parts and no others. */
  public JobCode with(List<String> parts) {
    return jars.computeIfAbsent(parts, this::pack);
  }

  private JobCode pack(List<String> parts) {
    try {
      JobJar jar = new JobJar().files(MODULE, file -> true);
      for (String part : parts) {
        List<String> entry = PARTS.get(part);
        jar.line("META-INF/services/" + entry.get(0), entry.get(1));
      }
      return JobCode.of(jar.write(folder.resolve("random" + String.join("", parts) + ".jar")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
