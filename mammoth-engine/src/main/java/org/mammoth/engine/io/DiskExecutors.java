// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Where the turns of disks run. */
public interface DiskExecutors extends AutoCloseable {

  /**
   * An executor for one disk. It must not run a task in the thread that hands it in, and must not
   * interrupt its threads: an interrupt closes the file being written.
   *
   * @param threads how many tasks it runs at the same time; never more are handed in
   */
  Executor forDisk(String disk, int threads);

  /**
   * An executor for turns that read a DataNode, for all disks. It begins each at once, whatever the
   * others wait for, and is used as the others are.
   */
  Executor forInput();

  /** Refuses further tasks and lets those handed in end. */
  @Override
  void close();

  /**
   * Threads of their own for each disk, made by {@code factory} and kept until the close. Those for
   * input end when they have had nothing to do for a minute.
   */
  static DiskExecutors ofThreads(ThreadFactory factory) {
    return new DiskExecutors() {
      private final ExecutorService input = Executors.newCachedThreadPool(factory);
      private final List<ExecutorService> services = new ArrayList<>(List.of(input));

      @Override
      public synchronized Executor forDisk(String disk, int threads) {
        ExecutorService service = Executors.newFixedThreadPool(threads, factory);
        services.add(service);
        return service;
      }

      @Override
      public Executor forInput() {
        return input;
      }

      @Override
      public synchronized void close() {
        services.forEach(ExecutorService::shutdown);
      }
    };
  }
}
