// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Function;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The engine's {@code System.out} and {@code System.err}: passes each call to the calling task's
 * stream, or to the engine's own when no task calls. Install once, before any task: {@code
 * System.setOut(TaskStreams.out(System.out))}.
 *
 * <p>Has no state or lock of its own; thread-safe as the streams behind it are. Closing it flushes
 * only: no task may close what all others print on.
 */
public final class TaskStreams extends PrintStream {
  private final Function<TaskProcess, PrintStream> stream;
  private final PrintStream engine;

  private TaskStreams(Function<TaskProcess, PrintStream> stream, PrintStream engine) {
    super(OutputStream.nullOutputStream());
    this.stream = stream;
    this.engine = engine;
  }

  /** A router for standard output. */
  public static TaskStreams out(PrintStream engine) {
    return new TaskStreams(TaskProcess::stdout, engine);
  }

  /** A router for standard error. */
  public static TaskStreams err(PrintStream engine) {
    return new TaskStreams(TaskProcess::stderr, engine);
  }

  private PrintStream current() {
    TaskProcess process = TaskProcess.currentOrNull();
    if (process == null) {
      return engine;
    }
    PrintStream own = stream.apply(process);
    return own == this ? engine : own;
  }

  @Override
  public void flush() {
    current().flush();
  }

  @Override
  public void close() {
    current().flush();
  }

  @Override
  public boolean checkError() {
    return current().checkError();
  }

  @Override
  public void write(int b) {
    current().write(b);
  }

  @Override
  public void write(byte[] buf) {
    current().write(buf, 0, buf.length);
  }

  @Override
  public void write(byte[] buf, int off, int len) {
    current().write(buf, off, len);
  }

  @Override
  public void writeBytes(byte[] buf) {
    current().write(buf, 0, buf.length);
  }

  @Override
  public void print(boolean x) {
    current().print(x);
  }

  @Override
  public void print(char x) {
    current().print(x);
  }

  @Override
  public void print(int x) {
    current().print(x);
  }

  @Override
  public void print(long x) {
    current().print(x);
  }

  @Override
  public void print(float x) {
    current().print(x);
  }

  @Override
  public void print(double x) {
    current().print(x);
  }

  @Override
  public void print(char[] x) {
    current().print(x);
  }

  @Override
  public void print(String x) {
    current().print(x);
  }

  @Override
  public void print(Object x) {
    current().print(x);
  }

  @Override
  public void println() {
    current().println();
  }

  @Override
  public void println(boolean x) {
    current().println(x);
  }

  @Override
  public void println(char x) {
    current().println(x);
  }

  @Override
  public void println(int x) {
    current().println(x);
  }

  @Override
  public void println(long x) {
    current().println(x);
  }

  @Override
  public void println(float x) {
    current().println(x);
  }

  @Override
  public void println(double x) {
    current().println(x);
  }

  @Override
  public void println(char[] x) {
    current().println(x);
  }

  @Override
  public void println(String x) {
    current().println(x);
  }

  @Override
  public void println(Object x) {
    current().println(x);
  }

  @Override
  public PrintStream printf(String format, Object... args) {
    current().printf(format, args);
    return this;
  }

  @Override
  public PrintStream printf(Locale l, String format, Object... args) {
    current().printf(l, format, args);
    return this;
  }

  @Override
  public PrintStream format(String format, Object... args) {
    current().format(format, args);
    return this;
  }

  @Override
  public PrintStream format(Locale l, String format, Object... args) {
    current().format(l, format, args);
    return this;
  }

  @Override
  public PrintStream append(CharSequence csq) {
    current().append(csq);
    return this;
  }

  @Override
  public PrintStream append(CharSequence csq, int start, int end) {
    current().append(csq, start, end);
    return this;
  }

  @Override
  public PrintStream append(char c) {
    current().append(c);
    return this;
  }
}
