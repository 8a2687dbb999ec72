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

  /** How many files of a directory are to be deleted; no entry for none. */
  @GuardedBy("this")
  private final Map<SsdDirectory, Integer> pending = new HashMap<>();

  /**
   * @param threads the one that deletes files of a directory; they must not be the caller's
   */
  Deletions(SsdFiles files, Function<SsdDirectory, Executor> threads) {
    this.files = files;
    this.threads = threads;
  }

  /**
   * Deletes a file soon. One that cannot be deleted is deleted, or refused by its name, at the next
   * start.
   *
   * @param then is run afterwards, also if it could not be deleted
   */
  void delete(SsdDirectory directory, Path file, Runnable then) {
    count(directory, 1);
    try {
      threads.apply(directory).execute(() -> deleteNow(directory, file, then));
    } catch (RejectedExecutionException e) {
      // The DataNode is ending.
      count(directory, -1);
    }
  }

  private void deleteNow(SsdDirectory directory, Path file, Runnable then) {
    try {
      discard(file);
      then.run();
    } finally {
      count(directory, -1);
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

  private synchronized void count(SsdDirectory directory, int more) {
    pending.merge(directory, more, (a, b) -> a + b == 0 ? null : a + b);
    notifyAll();
  }

  /** Waits some seconds at most for deletions in directories that are in use. */
  synchronized void settle() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    long left = PATIENCE_NANOS;
    while (left > 0 && pending.keySet().stream().anyMatch(SsdDirectory::healthy)) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
  }
}
