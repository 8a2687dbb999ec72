// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's file is read once by all who ask, and anew if it is another. */
class LocalizedJobsTest {

  @TempDir Path folder;
  private final LocalizedJobs jobs = new LocalizedJobs();

  private Path file(String name, String queue) throws IOException {
    Configuration job = new Configuration(false);
    job.set("mapreduce.job.queuename", queue);
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      job.writeXml(out);
    }
    return file;
  }

  private String queue(Path file) {
    return jobs.read(file.toFile()).get("mapreduce.job.queuename");
  }

  @Test
  void oneReadingServesAllWhoAsk() throws Exception {
    Path file = file("job.xml", "first");
    Configuration read = jobs.read(file.toFile());
    assertThat(read.get("mapreduce.job.queuename")).isEqualTo("first");
    // What the client did not say is as on the node.
    assertThat(read.get("io.file.buffer.size")).isNotNull();
    assertThat(jobs.read(file.toFile())).isSameAs(read);
  }

  @Test
  void aFileThatIsWrittenAnewIsReadAnew() throws Exception {
    Path file = file("job.xml", "first");
    assertThat(queue(file)).isEqualTo("first");
    file("job.xml", "second");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    assertThat(queue(file)).isEqualTo("second");
  }

  @Test
  void theOldestMakesWay() throws Exception {
    Configuration first = jobs.read(file("job-0.xml", "q0").toFile());
    for (int i = 1; i <= 8; i++) {
      assertThat(queue(file("job-" + i + ".xml", "q" + i))).isEqualTo("q" + i);
    }
    Configuration again = jobs.read(folder.resolve("job-0.xml").toFile());
    assertThat(again).isNotSameAs(first);
    assertThat(again.get("mapreduce.job.queuename")).isEqualTo("q0");
  }

  @Test
  void whatIsNoConfigurationIsNotKept() throws Exception {
    Path file = Files.writeString(folder.resolve("job.xml"), "<configuration><prop");
    assertThatThrownBy(() -> jobs.read(file.toFile())).isInstanceOf(RuntimeException.class);
    file("job.xml", "mended");
    assertThat(queue(file)).isEqualTo("mended");
  }
}
