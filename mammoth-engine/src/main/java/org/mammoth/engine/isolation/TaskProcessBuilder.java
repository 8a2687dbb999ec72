// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Gathers what a {@link TaskProcess} starts with. Not thread-safe; use once. */
public final class TaskProcessBuilder {
  final String name;
  final Map<String, String> properties = new HashMap<>();
  Map<String, String> environment = Map.of();
  Path workDir;
  Path tmpDir;
  OutputStream stdout = OutputStream.nullOutputStream();
  OutputStream stderr = OutputStream.nullOutputStream();
  long heapBytes;
  Path stdoutFile;
  Path stderrFile;
  TaskProcess.Listener listener;
  LongSupplier nanos = System::nanoTime;
  Predicate<Thread> shared = new SharedThreads();
  ThreadGroup parentGroup = Thread.currentThread().getThreadGroup();

  TaskProcessBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /** Environment variables; copied. Default: none. */
  public TaskProcessBuilder environment(Map<String, String> env) {
    environment = env;
    return this;
  }

  /** Working directory. Required; must exist when the task uses it. */
  public TaskProcessBuilder workDir(Path dir) {
    workDir = dir;
    return this;
  }

  /** Directory for temporary files. Default: the working directory's {@code tmp}. */
  public TaskProcessBuilder tmpDir(Path dir) {
    tmpDir = dir;
    return this;
  }

  /**
   * Standard output, opened by the caller, buffered and closed by the process. Default: nowhere.
   */
  public TaskProcessBuilder stdout(OutputStream out) {
    stdout = out;
    return this;
  }

  /** Standard error, opened by the caller, buffered and closed by the process. Default: nowhere. */
  public TaskProcessBuilder stderr(OutputStream err) {
    stderr = err;
    return this;
  }

  /**
   * The files that standard output and error are written to, for children that inherit them; opened
   * for appending by whoever opened the streams. Default: none, and what children write is lost.
   */
  public TaskProcessBuilder streamFiles(Path out, Path err) {
    stdoutFile = out;
    stderrFile = err;
    return this;
  }

  /**
   * A system property the process starts with, over the engine's and over user.dir and
   * java.io.tmpdir, which are set anyway.
   */
  public TaskProcessBuilder property(String key, String value) {
    properties.put(key, value);
    return this;
  }

  /** Several system properties at once. */
  public TaskProcessBuilder properties(Map<String, String> values) {
    properties.putAll(values);
    return this;
  }

  /** The largest heap it would have of its own. Default: 0, it sees the engine's. */
  public TaskProcessBuilder heapBytes(long bytes) {
    heapBytes = bytes;
    return this;
  }

  /** Who is told of exit and of dead threads. Required. */
  public TaskProcessBuilder listener(TaskProcess.Listener told) {
    listener = told;
    return this;
  }

  /** Clock for deadlines, in nanoseconds. Default: {@link System#nanoTime}. */
  public TaskProcessBuilder nanoClock(LongSupplier clock) {
    nanos = clock;
    return this;
  }

  /**
   * Which threads in the task's group are the JVM's, not the task's. Default: {@link
   * SharedThreads}.
   */
  public TaskProcessBuilder shared(Predicate<Thread> sharedThreads) {
    shared = sharedThreads;
    return this;
  }

  /** Group above the task's. Default: that of the thread that made this builder. */
  public TaskProcessBuilder parentGroup(ThreadGroup group) {
    parentGroup = group;
    return this;
  }

  /** Makes the process. Starts nothing. */
  public TaskProcess build() {
    Objects.requireNonNull(workDir, "workDir of process " + name);
    Objects.requireNonNull(listener, "listener of process " + name);
    if (tmpDir == null) {
      tmpDir = workDir.resolve("tmp");
    }
    return new TaskProcess(this);
  }
}
