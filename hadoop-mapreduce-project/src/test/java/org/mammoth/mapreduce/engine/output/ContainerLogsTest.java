// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.log4j.Hierarchy;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PropertyConfigurator;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.log4j.spi.RootLogger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.logs.TaskLogs;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/**
 * A container's log files are those that upstream's own {@code container-log4j.properties} makes of
 * the same properties.
 */
class ContainerLogsTest {

  private static final String MINE = "org.example.Mine";
  private static final String MERGER = "org.apache.hadoop.mapred.Merger";

  @TempDir Path folder;

  private Map<String, String> properties(String logger, long bytes, int backups) {
    Map<String, String> set = new HashMap<>();
    set.put("hadoop.root.logger", logger);
    set.put("yarn.app.container.log.filesize", String.valueOf(bytes));
    set.put("yarn.app.container.log.backups", String.valueOf(backups));
    return set;
  }

  @Test
  void withoutALimitAllIsKept() throws Exception {
    assertAlike(properties("INFO,CLA", 0, 0), false);
    assertAlike(properties("INFO,CLA", 0, 0), true);
  }

  @Test
  void theLastPartOfALimitedLogIsKept() throws Exception {
    assertAlike(properties("INFO,CLA", 2_000, 0), false);
  }

  @Test
  void aRolledLogHasItsBackups() throws Exception {
    Map<String, Path> files = assertAlike(properties("INFO,CRLA", 3_000, 2), false);
    assertThat(files).containsOnlyKeys("syslog", "syslog.1", "syslog.2");
  }

  @Test
  void aShuffleHasALogOfItsOwnAndALimitOfItsOwn() throws Exception {
    for (String appender : List.of("shuffleCLA", "shuffleCRLA")) {
      for (int bytes : new int[] {0, 2_000}) {
        Map<String, String> set = properties("INFO,CRLA", 100_000, 1);
        set.put("yarn.app.mapreduce.shuffle.logger", "INFO," + appender);
        set.put("yarn.app.mapreduce.shuffle.logfile", "syslog.shuffle");
        set.put("yarn.app.mapreduce.shuffle.log.filesize", String.valueOf(bytes));
        set.put("yarn.app.mapreduce.shuffle.log.backups", "1");
        if (bytes > 0 || appender.equals("shuffleCLA")) {
          assertThat(assertAlike(set, true)).containsKeys("syslog", "syslog.shuffle");
          assertThat(assertAlike(set, false)).doesNotContainKey("syslog.shuffle.1");
        }
      }
    }
  }

  /** Writes the same by ours and by upstream's file of settings, and compares the folders. */
  private Map<String, Path> assertAlike(Map<String, String> set, boolean isReduce)
      throws IOException {
    Path ours = Files.createTempDirectory(folder, "ours");
    Path theirs = Files.createTempDirectory(folder, "theirs");
    if (!isReduce) {
      // Upstream's command sets these for reduces only.
      set.keySet().removeIf(key -> key.startsWith("yarn.app.mapreduce.shuffle."));
    }
    set.put("yarn.app.container.log.dir", theirs.toString());
    set.put("hadoop.root.logfile", "syslog");
    TaskLogs logs =
        ContainerLogs.open(
            new ContainerLaunchSpec().withProgram(List.of(), List.of(), "INFO").withProperties(set),
            ours,
            isReduce);
    Upstream upstream = new Upstream(set);
    for (int i = 0; i < 300; i++) {
      String logger = i % 3 == 0 ? MERGER : MINE;
      LoggingEvent event =
          new LoggingEvent(
              Logger.class.getName(),
              upstream.logger(logger),
              1_700_000_000_000L + i,
              Level.INFO,
              "message " + i,
              i % 50 == 0 ? new IllegalStateException("of " + i) : null);
      logs.append(event);
      upstream.logger(logger).callAppenders(event);
    }
    logs.close();
    upstream.close();
    Map<String, Path> files = files(ours);
    Map<String, Path> expected = files(theirs);
    assertThat(files.keySet()).isEqualTo(expected.keySet());
    for (String name : files.keySet()) {
      assertThat(files.get(name)).as(name).hasSameTextualContentAs(expected.get(name));
    }
    return files;
  }

  private static Map<String, Path> files(Path folder) throws IOException {
    Map<String, Path> files = new HashMap<>();
    try (Stream<Path> each = Files.list(folder)) {
      each.forEach(file -> files.put(file.getFileName().toString(), file));
    }
    return files;
  }

  /** Upstream's settings, in a hierarchy of their own. */
  private static final class Upstream {
    private final Hierarchy hierarchy = new Hierarchy(new RootLogger(Level.DEBUG));

    Upstream(Map<String, String> set) throws IOException {
      Properties settings = new Properties();
      try (InputStream in =
          ContainerLogsTest.class.getResourceAsStream("/container-log4j.properties")) {
        settings.load(in);
      }
      settings.putAll(set);
      new PropertyConfigurator().doConfigure(settings, hierarchy);
    }

    Logger logger(String name) {
      return hierarchy.getLogger(name);
    }

    void close() {
      hierarchy.shutdown();
    }
  }
}
