// SPDX-License-Identifier: Apache-2.0
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

  /** One of those it began with. */
  private static final class First extends PrintStream {
    private volatile boolean closed;

    First(OutputStream to) {
      super(new BufferedOutputStream(to, BUFFER), true);
    }

    @Override
    public void close() {
      closed = true;
      super.close();
    }
  }

  private final First firstOut;
  private final First firstErr;
  private volatile PrintStream out;
  private volatile PrintStream err;
  private volatile InputStream in = InputStream.nullInputStream();

  ProcessStreams(OutputStream stdout, OutputStream stderr) {
    firstOut = new First(stdout);
    firstErr = new First(stderr);
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

  /** Whether the first output is closed, so that children would inherit nothing to write to. */
  boolean isOutClosed() {
    return firstOut.closed;
  }

  /** As {@link #isOutClosed}, of the errors. */
  boolean isErrClosed() {
    return firstErr.closed;
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
