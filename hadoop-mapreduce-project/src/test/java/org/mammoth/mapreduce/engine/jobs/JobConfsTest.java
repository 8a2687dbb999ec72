// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's configuration in an engine beside the one that a task's process reads. */
class JobConfsTest {

  @TempDir private Path dir;

  private final JobConfs confs = new JobConfs();
  private File file;

  @BeforeEach
  void submit() throws IOException {
    JobConf job = new JobConf();
    job.setNumReduceTasks(7);
    job.set("of.the.job", "a value");
    job.set("of.the.line", "another", "from command line");
    file = dir.resolve("job.xml").toFile();
    try (OutputStream out = Files.newOutputStream(file.toPath())) {
      job.writeXml(out);
    }
  }

  /** Each key with its value and where it comes from. */
  private Map<String, String> told(Configuration conf) {
    Map<String, String> told = new TreeMap<>();
    for (Map.Entry<String, String> each : conf) {
      String[] sources = conf.getPropertySources(each.getKey());
      List<String> named = sources == null ? List.of() : Arrays.asList(sources);
      told.put(
          each.getKey(),
          each.getValue() + named.stream().map(s -> s.replace(path(), "job.xml")).toList());
    }
    return told;
  }

  private String path() {
    return new org.apache.hadoop.fs.Path(file.toURI()).toString();
  }

  private JobConf ofProcess() {
    return new JobConf(new org.apache.hadoop.fs.Path(file.toURI()));
  }

  @Test
  void valuesAndSourcesAreThoseOfAProcess() throws IOException {
    JobConf copy = confs.copyOf(file);
    assertThat(told(copy)).isEqualTo(told(ofProcess()));
    assertThat(told(copy).get("mapreduce.job.reduces")).isEqualTo("7[programmatically, job.xml]");
    assertThat(told(copy).get("of.the.line")).endsWith("[from command line, job.xml]");
    assertThat(copy.get("io.file.buffer.size")).isNotNull();
  }

  /** As when a job adds defaults of its own. */
  @Test
  void readAgainItIsTheSame() throws IOException {
    JobConf copy = confs.copyOf(file);
    copy.set("of.the.task", "1");
    copy.reloadConfiguration();
    JobConf ofProcess = ofProcess();
    ofProcess.set("of.the.task", "1");
    ofProcess.reloadConfiguration();
    assertThat(told(copy)).isEqualTo(told(ofProcess));
  }

  @Test
  void copiesAreTheCallersOwn() throws IOException {
    confs.copyOf(file).set("of.the.job", "changed");
    assertThat(confs.copyOf(file).get("of.the.job")).isEqualTo("a value");
  }

  @Test
  void aFileThatIsNotThereIsAnError() {
    assertThatThrownBy(() -> confs.copyOf(dir.resolve("none.xml").toFile()))
        .isInstanceOf(IOException.class);
  }
}
