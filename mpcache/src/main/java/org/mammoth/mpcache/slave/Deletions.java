// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Deletes files beside whoever wants them gone, which may be the thread in which a DataNode does
 * the NameNode's orders: an SSD that does not answer holds up what else is deleted of it, nothing
 * more. What waits is bounded by the room of the directory, as that is given back afterwards.
 *
 * <p>Safe for any thread.
 */
final class Deletions {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final SsdFiles files;
  private final Function<SsdDirectory, Executor> threads;
  private final SsdReads reads;
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** How many files of a directory are to be deleted; no entry for none. */
  @GuardedBy("lock")
  private final Map<SsdDirectory, Integer> pending = new HashMap<>();

  /**
   * @param threads the one that deletes files of a directory; they must not be the caller's
   * @param reads with which deletions are looked at, to learn of a directory that does not answer
   */
  Deletions(SsdFiles files, Function<SsdDirectory, Executor> threads, SsdReads reads) {
    this.files = files;
    this.threads = threads;
    this.reads = reads;
  }

  /**
   * Deletes a file soon. One that cannot be deleted is deleted, or refused by its name, at the next
   * start.
   *
   * @param then is run afterwards, also if it could not be deleted
   */
  void delete(SsdDirectory directory, Path file, Runnable then) {
    count(directory, 1);
    boolean taken = false;
    try {
      threads.apply(directory).execute(() -> deleteNow(directory, file, then));
      taken = true;
    } catch (RejectedExecutionException e) {
      // The DataNode is ending.
      return;
    } finally {
      if (!taken) {
        count(directory, -1);
      }
    }
  }

  private void deleteNow(SsdDirectory directory, Path file, Runnable then) {
    try (SsdReads.Reader looked = reads.of(directory)) {
      looked.begin();
      discard(file);
    } finally {
      try {
        then.run();
      } finally {
        count(directory, -1);
      }
    }
  }

  /** Deletes a file at once, if that can be done. */
  void discard(Path file) {
    try {
      files.delete(file);
    } catch (IOException e) {
      // As above.
      return;
    }
  }

  private void count(SsdDirectory directory, int more) {
    lock.lock();
    try {
      pending.merge(directory, more, (a, b) -> a + b == 0 ? null : a + b);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits some seconds at most for deletions in directories that are in use. */
  void settle() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = PATIENCE_NANOS;
      while (left > 0 && pending.keySet().stream().anyMatch(SsdDirectory::healthy)) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
