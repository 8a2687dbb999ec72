// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.log4j.Layout;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.LoggingEvent;

/**
 * One log file with the stock layout. Flushed per event, as stock's: the last lines before a crash
 * are those one wants.
 */
public final class LogFile implements LogTarget {
  /** The layout of upstream's container logs. */
  public static final String PATTERN = "%d{ISO8601} %p [%t] %c: %m%n";

  private final Path path;
  private final Writer writer;
  // A layout formats into a buffer of its own, so it belongs to one file and one lock.
  private final Layout layout = new PatternLayout(PATTERN);
  private IOException failure;
  private boolean closed;

  private LogFile(Path path, Writer writer) {
    this.path = path;
    this.writer = writer;
  }

  /** Opens it, behind what is there. */
  public static LogFile open(Path path) throws IOException {
    return new LogFile(
        path,
        Files.newBufferedWriter(
            path, Charset.defaultCharset(), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  @Override
  public synchronized void append(LoggingEvent event) {
    if (closed || failure != null) {
      return;
    }
    try {
      writer.write(layout.format(event));
      String[] trace = event.getThrowableStrRep();
      if (trace != null) {
        for (String line : trace) {
          writer.write(line);
          writer.write(Layout.LINE_SEP);
        }
      }
      writer.flush();
    } catch (IOException e) {
      fail(e);
    }
  }

  @Override
  public synchronized void flush() {
    try {
      if (!closed && failure == null) {
        writer.flush();
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      writer.close();
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Says once, on stderr, that the log is incomplete: logging it would come back here. */
  private void fail(IOException e) {
    if (failure == null) {
      failure = e;
      System.err.println("Task log " + path + " is incomplete from here on: " + e);
    }
  }
}
