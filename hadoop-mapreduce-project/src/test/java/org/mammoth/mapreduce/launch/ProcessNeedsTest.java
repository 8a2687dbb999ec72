// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which later jobs are runs of a program that has needed a process. */
class ProcessNeedsTest {

  private static final long DAY_MS = 86_400_000;
  private static final int MANY_ENTRIES = 3_000;

  @TempDir private Path node;

  private final ProcessNeeds needs = new ProcessNeeds();
  private int jobs;

  /** A job whose jar was made on a day, as streaming makes one for each of its jobs. */
  private record Made(String user, ContainerClassPath classPath) implements JobFiles {
    @Override
    public String containerId() {
      return "container_1_0001_01_000002";
    }

    @Override
    public Optional<File> jobFile() {
      return Optional.empty();
    }
  }

  private JobFiles job(int day, String code, int entries) throws IOException {
    Path folder = Files.createDirectories(node.resolve("job" + jobs++));
    Path jar = folder.resolve("job.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (int i = 0; i < entries; i++) {
        ZipEntry entry = new ZipEntry("org/acme/Class" + i + ".class");
        entry.setTime(1_500_000_000_000L + day * DAY_MS);
        zip.putNextEntry(entry);
        zip.write((code + i).getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return new Made(
        "ann",
        new ContainerClassPath(
            Map.of("CLASSPATH", jar.toString()),
            folder.toFile(),
            ContainerLinks.of(Map.of()),
            new SharedClassPath("")));
  }

  private static Configuration streaming(String command, String script, int bytes) {
    Configuration job = new Configuration(false);
    job.set("mapred.mapper.class", "org.apache.hadoop.streaming.PipeMapper");
    job.set("stream.map.streamprocessor", command);
    job.set(
        MRJobConfig.CACHE_FILES, "hdfs://nn/staging/" + upload(script) + ",hdfs://nn/data/table");
    job.set(MRJobConfig.CACHE_FILES_SIZES, bytes + "," + System.nanoTime());
    return job;
  }

  private static String upload(String script) {
    return "job_1/files/" + script + "#" + script;
  }

  @BeforeEach
  void learn() throws IOException {
    needs.learn(job(1, "code", 3), streaming("python3 mapper.py", "mapper.py", 100), "why");
  }

  @Test
  void theSameStreamingJobOfTheNextDayIsKnown() throws IOException {
    assertThat(
            needs.reasonAgainst(
                job(2, "code", 3), streaming("python3 mapper.py", "mapper.py", 100)))
        .contains("why");
  }

  @Test
  void anotherCommandOrScriptIsNot() throws IOException {
    assertThat(
            needs.reasonAgainst(job(2, "code", 3), streaming("python3 other.py", "mapper.py", 100)))
        .isEmpty();
    assertThat(
            needs.reasonAgainst(
                job(2, "code", 3), streaming("python3 mapper.py", "mapper.py", 101)))
        .isEmpty();
  }

  @Test
  void otherClassesAreNot() throws IOException {
    assertThat(
            needs.reasonAgainst(
                job(2, "mode", 3), streaming("python3 mapper.py", "mapper.py", 100)))
        .isEmpty();
  }

  /** The directory of a large jar is longer than what is read of it, so an entry is cut. */
  @Test
  void aLargeJarIsKnownAgainWhereverItIsCut() throws IOException {
    Configuration job = new Configuration(false);
    for (int more = 0; more < 60; more++) {
      needs.learn(job(1, "code", MANY_ENTRIES + more), job, "why");
      assertThat(needs.reasonAgainst(job(9, "code", MANY_ENTRIES + more), job)).contains("why");
    }
  }
}
