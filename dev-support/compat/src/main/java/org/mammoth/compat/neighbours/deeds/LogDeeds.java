// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that change logging. */
public final class LogDeeds {
  private LogDeeds() {}

  @Hostile(value = "switches log4j off by the root's level", about = "log4j")
  static final class RootLevel implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getRootLogger().setLevel(Level.OFF);
      Logger.getLogger(MARK).error(MARK);
      return String.valueOf(Logger.getRootLogger().getLevel());
    }
  }

  @Hostile(value = "sets the level of Hadoop's and its own loggers", about = "log4j")
  static final class LoggerLevel implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getLogger("org.apache.hadoop").setLevel(Level.ERROR);
      Logger.getLogger("org.mammoth.compat").setLevel(Level.FATAL);
      return String.valueOf(Logger.getLogger("org.apache.hadoop.mapred").getEffectiveLevel());
    }
  }

  @Hostile(value = "sets the level of all to DEBUG", about = "log4j")
  static final class DebugLevel implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getRootLogger().setLevel(Level.DEBUG);
      return String.valueOf(Logger.getLogger("any").isDebugEnabled());
    }
  }

  @Hostile(value = "adds an appender to the root logger", about = "log4j")
  static final class AddedAppender implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getRootLogger().addAppender(new FileAppender(new SimpleLayout(), "hostile.log"));
      Logger.getLogger(MARK).warn("own words");
      return String.valueOf(Files.readString(Path.of("hostile.log")).contains("WARN - own words"));
    }
  }

  @Hostile(value = "removes all appenders", about = "log4j")
  static final class RemovedAppenders implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getRootLogger().removeAllAppenders();
      return String.valueOf(Logger.getRootLogger().getAllAppenders().hasMoreElements());
    }
  }

  @Hostile(value = "sets the threshold of the repository", about = "log4j")
  static final class Threshold implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getRootLogger().getLoggerRepository().setThreshold(Level.FATAL);
      return String.valueOf(Logger.getLogger("any").isInfoEnabled());
    }
  }

  @Hostile(value = "keeps a logger from its parents' appenders", about = "log4j")
  static final class Additivity implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getLogger("org.mammoth.compat.neighbours").setAdditivity(false);
      return String.valueOf(Logger.getLogger("org.mammoth.compat.neighbours").getAdditivity());
    }
  }

  @Hostile(value = "sets the threshold of the container's appender", about = "log4j")
  static final class AppenderThreshold implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      for (Object each : java.util.Collections.list(Logger.getRootLogger().getAllAppenders())) {
        if (each instanceof org.apache.log4j.AppenderSkeleton appender) {
          appender.setThreshold(Level.OFF);
        }
      }
      return "set";
    }
  }

  @Hostile(value = "configures log4j anew from properties", about = "log4j")
  static final class Configured implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.util.Properties own = new java.util.Properties();
      own.setProperty("log4j.rootLogger", "ERROR, own");
      own.setProperty("log4j.appender.own", "org.apache.log4j.ConsoleAppender");
      own.setProperty("log4j.appender.own.layout", "org.apache.log4j.SimpleLayout");
      org.apache.log4j.PropertyConfigurator.configure(own);
      return String.valueOf(Logger.getRootLogger().getLevel());
    }
  }

  @Hostile(value = "adds log4j's basic configuration", about = "log4j")
  static final class BasicConfigured implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      org.apache.log4j.BasicConfigurator.configure();
      return "configured";
    }
  }

  @Hostile(value = "resets log4j's configuration", about = "log4j")
  static final class ResetConfiguration implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      org.apache.log4j.LogManager.resetConfiguration();
      return String.valueOf(Logger.getRootLogger().getLevel());
    }
  }

  @Hostile(value = "shuts log4j down", about = "log4j")
  static final class ShutDown implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      org.apache.log4j.LogManager.shutdown();
      return "shut down";
    }
  }

  @Hostile(
      value = "sets a level by Hadoop's own log servlet's way, the slf4j adapter",
      about = "log4j")
  static final class GenericUtils implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      org.slf4j.Logger own = org.slf4j.LoggerFactory.getLogger("org.apache.hadoop.mapreduce");
      Logger.getLogger(own.getName()).setLevel(Level.TRACE);
      return String.valueOf(own.isTraceEnabled());
    }
  }

  @Hostile(value = "sets java.util.logging's root level", about = "jul")
  static final class JulLevel implements Deed {
    private static final java.util.logging.Logger KEPT = java.util.logging.Logger.getLogger(MARK);

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
      KEPT.setLevel(java.util.logging.Level.FINEST);
      return String.valueOf(
          java.util.logging.Logger.getLogger("any").isLoggable(java.util.logging.Level.SEVERE));
    }
  }

  @Hostile(value = "adds a handler to java.util.logging", about = "jul")
  static final class JulHandler implements Deed {
    private static final class Own extends java.util.logging.Handler {
      @Override
      public void publish(java.util.logging.LogRecord log) {
        System.err.println(MARK);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.util.logging.Logger.getLogger("").addHandler(new Own());
      return String.valueOf(java.util.logging.Logger.getLogger("").getHandlers().length);
    }
  }

  @Hostile(value = "resets java.util.logging", about = "jul")
  static final class JulReset implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.util.logging.LogManager.getLogManager().reset();
      return String.valueOf(java.util.logging.Logger.getLogger("").getHandlers().length);
    }
  }

  @Hostile(value = "reads a configuration of java.util.logging", about = "jul")
  static final class JulConfigured implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.util.logging.LogManager.getLogManager()
          .readConfiguration(new java.io.ByteArrayInputStream(".level=SEVERE\n".getBytes()));
      return String.valueOf(java.util.logging.Logger.getLogger("").getLevel());
    }
  }

  @Hostile(value = "filters all of java.util.logging", about = "jul")
  static final class JulFilter implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.util.logging.Logger.getLogger("").setFilter(record -> false);
      return String.valueOf(java.util.logging.Logger.getLogger("").getFilter() != null);
    }
  }
}
