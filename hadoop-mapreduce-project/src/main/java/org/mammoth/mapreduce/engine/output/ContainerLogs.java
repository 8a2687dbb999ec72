// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.yarn.ContainerLogAppender;
import org.apache.hadoop.yarn.ContainerRollingLogAppender;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.PatternLayout;
import org.mammoth.engine.logs.LogFile;
import org.mammoth.engine.logs.LogTarget;
import org.mammoth.engine.logs.TaskLogs;
import org.mammoth.mapreduce.launch.CommandRules;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/**
 * Opens the logs of a container as its command's properties say, which upstream's {@code
 * container-log4j.properties} takes: one file, the last part of it, or files that are rolled. The
 * last two are upstream's own appenders.
 */
public final class ContainerLogs {

  private static final String SYSLOG = "syslog";
  private static final String SHUFFLE = "syslog.shuffle";

  private ContainerLogs() {}

  /**
   * Opens them.
   *
   * @param folder of the container's logs
   * @param isReduce whether a shuffle may have a log of its own
   */
  static TaskLogs open(ContainerLaunchSpec spec, Path folder, boolean isReduce) throws IOException {
    Map<String, String> set = spec.properties();
    Level threshold = Level.toLevel(spec.rootLogger(), Level.INFO);
    LogTarget syslog =
        open(folder, SYSLOG, set, CommandRules.ROOT_LOGGER, "yarn.app.container.log.");
    if (!isReduce || !set.containsKey(CommandRules.SHUFFLE_LOGGER)) {
      return TaskLogs.of(syslog, threshold);
    }
    try {
      return TaskLogs.of(
          syslog,
          open(
              folder, SHUFFLE, set, CommandRules.SHUFFLE_LOGGER, "yarn.app.mapreduce.shuffle.log."),
          threshold);
    } catch (IOException | RuntimeException e) {
      syslog.close();
      throw e;
    }
  }

  private static LogTarget open(
      Path folder, String name, Map<String, String> set, String loggerKey, String prefix)
      throws IOException {
    long bytes = Long.parseLong(set.getOrDefault(prefix + "filesize", "0"));
    if (CommandRules.isRolled(set.getOrDefault(loggerKey, ""))) {
      ContainerRollingLogAppender rolling = new ContainerRollingLogAppender();
      rolling.setContainerLogDir(folder.toString());
      rolling.setContainerLogFile(name);
      rolling.setMaximumFileSize(bytes);
      rolling.setMaxBackupIndex(Integer.parseInt(set.getOrDefault(prefix + "backups", "0")));
      return activated(rolling);
    }
    if (bytes > 0) {
      ContainerLogAppender last = new ContainerLogAppender();
      last.setContainerLogDir(folder.toString());
      last.setContainerLogFile(name);
      last.setTotalLogFileSize(bytes);
      return activated(last);
    }
    return LogFile.open(folder.resolve(name));
  }

  private static LogTarget activated(FileAppender appender) {
    appender.setLayout(new PatternLayout(LogFile.PATTERN));
    appender.activateOptions();
    return new LimitedLog(appender);
  }
}
