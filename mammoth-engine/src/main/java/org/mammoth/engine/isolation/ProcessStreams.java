package org.mammoth.engine.isolation;

import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The three standard streams of one process. Those it began with are flushed on every write, as a
 * JVM's are, so that nothing a task printed is lost with an engine. Thread-safe.
 */
final class ProcessStreams implements AutoCloseable {
  private static final int BUFFER = 1024;

  private final PrintStream firstOut;
  private final PrintStream firstErr;
  private volatile PrintStream out;
  private volatile PrintStream err;
  private volatile InputStream in = InputStream.nullInputStream();

  ProcessStreams(OutputStream stdout, OutputStream stderr) {
    firstOut = new PrintStream(new BufferedOutputStream(stdout, BUFFER), true);
    firstErr = new PrintStream(new BufferedOutputStream(stderr, BUFFER), true);
    out = firstOut;
    err = firstErr;
  }

  PrintStream out() {
    return out;
  }

  void out(PrintStream replacement) {
    out = replacement == null ? firstOut : replacement;
  }

  PrintStream err() {
    return err;
  }

  void err(PrintStream replacement) {
    err = replacement == null ? firstErr : replacement;
  }

  InputStream in() {
    return in;
  }

  void in(InputStream replacement) {
    in = replacement == null ? InputStream.nullInputStream() : replacement;
  }

  /**
   * Closes the first two. What the task put in their place is the task's own to close, but is
   * flushed once.
   */
  @Override
  public void close() {
    PrintStream lastOut = out;
    PrintStream lastErr = err;
    out = firstOut;
    err = firstErr;
    if (lastOut != firstOut) {
      lastOut.flush();
    }
    if (lastErr != firstErr) {
      lastErr.flush();
    }
    firstOut.close();
    firstErr.close();
  }
}
