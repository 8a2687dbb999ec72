package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.util.Enumeration;
import org.apache.log4j.Appender;
import org.apache.log4j.ConsoleAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.mammoth.engine.logs.TaskLogAppender;
import org.mammoth.engine.logs.TaskStreams;

/**
 * Sends what is printed and logged where it belongs: of a task's threads to the task's own files,
 * all else to the engine's output. Replaces whatever log4j was configured with.
 */
final class EngineLogs {

  private static final String LAYOUT = "%d{ISO8601} %p [%t] %c: %m%n";

  private EngineLogs() {}

  static void install() throws IOException {
    Appender engine = new ConsoleAppender(new PatternLayout(LAYOUT), ConsoleAppender.SYSTEM_OUT);
    Enumeration<?> loggers = Logger.getRootLogger().getLoggerRepository().getCurrentLoggers();
    while (loggers.hasMoreElements()) {
      Logger logger = (Logger) loggers.nextElement();
      logger.removeAllAppenders();
      logger.setAdditivity(true);
    }
    Logger root = Logger.getRootLogger();
    root.removeAllAppenders();
    root.setLevel(Level.INFO);
    root.addAppender(new TaskLogAppender(engine));
    System.setOut(TaskStreams.out(System.out));
    System.setErr(TaskStreams.err(System.err));
  }
}
