// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;

/**
 * One SSD directory with the size it may take. Cached blocks and localized data draw from it alike.
 *
 * <p>Safe for any thread.
 */
public final class SsdDirectory {

  private final Path path;
  private final long capacity;

  @GuardedBy("this")
  private long used;

  @GuardedBy("this")
  private String failure;

  /**
   * @param capacity bytes the cache may fill, positive
   */
  public SsdDirectory(Path path, long capacity) {
    if (capacity <= 0) {
      throw new IllegalArgumentException(
          path + " has size " + capacity + "; give it one in mammoth.mpcache.dirs");
    }
    this.path = path;
    this.capacity = capacity;
  }

  public Path path() {
    return path;
  }

  /** Takes room; false if there is not as much or the directory has failed. */
  public synchronized boolean reserve(long bytes) {
    if (failure != null || bytes > capacity - used) {
      return false;
    }
    used += bytes;
    return true;
  }

  /** Books what is found there after a restart, even beyond the capacity. */
  synchronized void found(long bytes) {
    used += bytes;
  }

  /** Gives room back. */
  public synchronized void release(long bytes) {
    if (bytes > used) {
      throw new IllegalStateException(
          bytes + " bytes given back to " + path + ", in use are " + used);
    }
    used -= bytes;
  }

  /** Takes the directory out of use until the next start; true if it was in use. */
  synchronized boolean fail(String why) {
    boolean first = failure == null;
    failure = first ? why : failure;
    return first;
  }

  public synchronized boolean healthy() {
    return failure == null;
  }

  /** Why it is out of use, or null. */
  public synchronized String failure() {
    return failure;
  }

  /** Bytes it may fill; 0 once it has failed. */
  public synchronized long capacity() {
    return failure == null ? capacity : 0;
  }

  public synchronized long used() {
    return used;
  }

  /** Bytes left; 0 once it has failed, negative if more was found than fits. */
  public synchronized long free() {
    return failure == null ? capacity - used : 0;
  }
}
