// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Collects the parts of an {@link IoScheduler}; each part not given is the ordinary one. */
public final class IoSchedulerBuilder {

  final IoSettings settings;
  final List<Path> dirs;
  Predicate<Path> spinning = dir -> false;
  List<Path> inputDirs = List.of();
  DiskDetector disks = DiskDetector.byFileStore();
  DiskExecutors executors;
  LongSupplier clock = System::nanoTime;
  DirProbe probe = new FileDirProbe();
  IoCharge charge = (owner, memory, bytes) -> {};
  HealthListener listener = (dir, state, reason) -> {};

  IoSchedulerBuilder(IoSettings settings, List<Path> dirs) {
    this.settings = settings;
    this.dirs = List.copyOf(dirs);
  }

  /** Which directories share a disk. */
  public IoSchedulerBuilder disks(DiskDetector detector) {
    this.disks = detector;
    return this;
  }

  /** Which of the directories lie on spinning disks. */
  public IoSchedulerBuilder spinning(Predicate<Path> lies) {
    this.spinning = lies;
    return this;
  }

  /** Where the node's DataNode keeps its blocks; see {@link IoScheduler#openInput}. */
  public IoSchedulerBuilder inputDirs(List<Path> given) {
    this.inputDirs = List.copyOf(given);
    return this;
  }

  /** Where turns run; this or {@link #threads} is needed. The scheduler closes it. */
  public IoSchedulerBuilder executors(DiskExecutors given) {
    this.executors = given;
    return this;
  }

  /** Has turns run in threads of this factory. */
  public IoSchedulerBuilder threads(ThreadFactory factory) {
    return executors(DiskExecutors.ofThreads(factory));
  }

  /** Nanoseconds as of {@link System#nanoTime}. */
  public IoSchedulerBuilder clock(LongSupplier nanos) {
    this.clock = nanos;
    return this;
  }

  /** How a directory is tried. */
  public IoSchedulerBuilder probe(DirProbe given) {
    this.probe = given;
    return this;
  }

  /** Who counts the memory that waits. */
  public IoSchedulerBuilder charge(IoCharge given) {
    this.charge = given;
    return this;
  }

  /** Who is told when a directory is left out or comes back. */
  public IoSchedulerBuilder listener(HealthListener given) {
    this.listener = given;
    return this;
  }

  /** Makes the scheduler. */
  public IoScheduler build() {
    if (executors == null) {
      throw new IllegalStateException("an I/O scheduler needs threads or executors");
    }
    return new IoScheduler(this);
  }
}
