// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import java.io.IOException;
import org.apache.log4j.Appender;
import org.apache.log4j.ConsoleAppender;
import org.apache.log4j.Hierarchy;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.RootLogger;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.logs.TaskLogAppender;
import org.mammoth.engine.logs.TaskStreams;

/**
 * Sends what is printed and logged where it belongs: of a task's threads to the task's own files,
 * all else to the engine's output. Replaces whatever log4j was configured with.
 */
public final class EngineLogs {

  private static final String LAYOUT = "%d{ISO8601} %p [%t] %c: %m%n";

  private EngineLogs() {}

  /** Call before any logger has been made. */
  public static void install() throws IOException {
    // Upstream's classes end a process by shutting log4j down; here it would end everybody's logs.
    Hierarchy everlasting =
        new Hierarchy(new RootLogger(Level.INFO)) {
          @Override
          public void shutdown() {
            if (TaskProcess.currentOrNull() != null) {
              super.shutdown(); // of the appenders as the task has them
            }
          }
        };
    LogManager.setRepositorySelector(() -> everlasting, new Object());
    Appender engine = new ConsoleAppender(new PatternLayout(LAYOUT), ConsoleAppender.SYSTEM_OUT);
    everlasting.getRootLogger().addAppender(new TaskLogAppender(engine));
    System.setOut(TaskStreams.out(System.out));
    System.setErr(TaskStreams.err(System.err));
  }
}
