// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs the turns of all disks in the test's thread, one at a time, when the test says so. */
final class ManualDisk implements DiskExecutors {

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Queue<Runnable> silent = new ArrayDeque<>();
  private boolean closed;

  /** Whether what is read of a DataNode now does not end before it {@link #answers}. */
  boolean silence;

  /** How often no thread is to be had from now on: for turns, and for what a DataNode is asked. */
  int lacking;

  int inputLacking;

  @Override
  public Executor forDisk(String disk, int threads) {
    return task -> {
      if (lacking > 0) {
        lacking--;
        throw new OutOfMemoryError("unable to create native thread");
      }
      take(task);
    };
  }

  @Override
  public Executor forInput() {
    return task -> {
      if (inputLacking > 0) {
        inputLacking--;
        throw new OutOfMemoryError("unable to create native thread");
      }
      if (silence) {
        silent.add(task);
      } else {
        take(task);
      }
    };
  }

  private void take(Runnable task) {
    if (closed) {
      throw new RejectedExecutionException("closed");
    }
    tasks.add(task);
  }

  /** The DataNode answers the first thing that it has been asked. */
  void answersOne() {
    tasks.add(silent.remove());
  }

  /** The DataNode answers all that it has been asked. */
  void answers() {
    silence = false;
    tasks.addAll(silent);
    silent.clear();
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Runs one turn; false if there is none. */
  boolean turn() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
    return task != null;
  }

  int turns() {
    int count = 0;
    while (turn()) {
      count++;
      if (count > 1_000_000) {
        throw new AssertionError("the disks never come to rest");
      }
    }
    return count;
  }

  int waiting() {
    return tasks.size();
  }
}
