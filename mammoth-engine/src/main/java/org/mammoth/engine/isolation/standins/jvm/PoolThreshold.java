// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

/**
 * A threshold of one memory pool, as the JDK keeps two of each: told once when use rises to it, and
 * again only after it has fallen below. Thread-safe.
 */
final class PoolThreshold {
  private long bytes;
  private long count;
  private boolean exceeded;

  /** Sets it; zero means none. */
  synchronized void set(long newBytes) {
    bytes = newBytes;
    exceeded = false;
  }

  synchronized long bytes() {
    return bytes;
  }

  /** How often use has risen to it. */
  synchronized long count() {
    return count;
  }

  /** Whether it is set and some use is at it or above. */
  synchronized boolean isExceededBy(long used) {
    return bytes > 0 && used >= bytes;
  }

  /** Whether use has just risen to it. */
  synchronized boolean rises(long used) {
    boolean before = exceeded;
    exceeded = isExceededBy(used);
    if (exceeded && !before) {
      count++;
      return true;
    }
    return false;
  }
}
