// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.util.Arrays;
import java.util.Collections;
import java.util.TreeMap;
import java.util.logging.Level;
import org.apache.commons.logging.LogFactory;
import org.apache.log4j.Appender;
import org.apache.log4j.Logger;
import org.slf4j.LoggerFactory;

/** Logging: what is configured, and what a task can say through each of the ways to log. */
final class LogLook {
  /** Marks the lines that must come out in the task's logs as on stock. */
  static final String SAYS = "witness-says";

  private LogLook() {}

  static void look(Report report) {
    say();
    Logger root = Logger.getRootLogger();
    report.tell("log4j.root", root::getLevel);
    report.tell("log4j.threshold", () -> root.getLoggerRepository().getThreshold());
    report.tell("log4j.disabled-info", () -> root.getLoggerRepository().isDisabled(20_000));
    report.tell("log4j.hadoop", () -> Logger.getLogger("org.apache.hadoop").getEffectiveLevel());
    report.tell(
        "log4j.appenders",
        () ->
            Collections.list(root.getAllAppenders()).stream()
                .map(each -> ((Appender) each).getName())
                .toList());
    report.tellEach("log4j.level", LogLook::levels);
    report.tell("log4j.own-additivity", () -> Logger.getLogger(LogLook.class).getAdditivity());
    java.util.logging.Logger jul = java.util.logging.Logger.getLogger("");
    report.tell("jul.root", jul::getLevel);
    report.tell("jul.filter", jul::getFilter);
    report.tell(
        "jul.handlers",
        () ->
            Arrays.stream(jul.getHandlers())
                .map(each -> each.getClass().getName() + " " + each.getLevel())
                .toList());
    report.tell("jul.mark", () -> java.util.logging.Logger.getLogger(Deed.MARK).getLevel());
    report.tell(
        "jul.property", () -> java.util.logging.LogManager.getLogManager().getProperty(".level"));
    report.tell("slf4j.factory", () -> LoggerFactory.getILoggerFactory().getClass());
  }

  /** Loggers with a level of their own. */
  private static TreeMap<String, Object> levels() {
    TreeMap<String, Object> levels = new TreeMap<>();
    for (Object each :
        Collections.list(Logger.getRootLogger().getLoggerRepository().getCurrentLoggers())) {
      Logger logger = (Logger) each;
      if (logger.getLevel() != null || logger.getAllAppenders().hasMoreElements()) {
        levels.put(
            logger.getName(),
            logger.getLevel() + " " + Collections.list(logger.getAllAppenders()).size());
      }
    }
    return levels;
  }

  private static void say() {
    org.slf4j.Logger slf4j = LoggerFactory.getLogger(LogLook.class);
    slf4j.debug(SAYS + " slf4j debug");
    slf4j.info(SAYS + " slf4j info");
    slf4j.error(SAYS + " slf4j error");
    Logger.getLogger(LogLook.class).info(SAYS + " log4j info");
    LogFactory.getLog(LogLook.class).warn(SAYS + " commons warn");
    java.util.logging.Logger jul = java.util.logging.Logger.getLogger(LogLook.class.getName());
    jul.info(SAYS + " jul info");
    jul.log(Level.FINE, SAYS + " jul fine");
    System.out.println(SAYS + " out");
    System.err.println(SAYS + " err");
    System.getLogger("witness").log(System.Logger.Level.WARNING, SAYS + " platform logger");
  }
}
