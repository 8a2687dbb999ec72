// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

import java.util.Locale;
import java.util.Optional;

/**
 * Whether an engine's heap can take one more task. Promises are not added up: tasks rarely use what
 * their processes could have had, and that they do not is what makes one heap for all of them pay.
 * A task is turned away when not even the empty heap could keep its promise, or while the heap is
 * filled above a mark by what others hold.
 */
public final class HeapAdmission {

  /** Of what tasks may hold together; a task that starts is sure of the rest, for a while. */
  private static final double MARK = 0.7;

  private static final long MIB = 1L << 20;

  private final long loneTaskBytes;
  private final long ownBytes;
  private final long markBytes;

  /**
   * @param loneTaskBytes what one task could have in place of a heap if it was alone, buffers
   *     included
   * @param ownBytes what the engine itself holds
   * @param limitBytes what may be alive at most, the engine's own included
   */
  public HeapAdmission(long loneTaskBytes, long ownBytes, long limitBytes) {
    this.loneTaskBytes = loneTaskBytes;
    this.ownBytes = ownBytes;
    this.markBytes = ownBytes + Math.round(MARK * Math.max(0, limitBytes - ownBytes));
  }

  /** Above so many live bytes no task is taken. */
  public long markBytes() {
    return markBytes;
  }

  /** Why no engine of this size takes a task, empty if one does. */
  public Optional<String> reasonAgainst(long promisedBytes) {
    if (promisedBytes <= loneTaskBytes) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "its heap of up to %d MiB (-Xmx in mapreduce.map.java.opts or"
                + " mapreduce.reduce.java.opts) is more than the %d MiB of heap and buffers that the"
                + " engine has (mammoth.engine.memory-mb)",
            promisedBytes / MIB,
            loneTaskBytes / MIB));
  }

  /**
   * Why it takes none now, empty if it does.
   *
   * @param liveBytes alive after the last collection of all of the heap
   */
  public Optional<String> reasonAgainstNow(long liveBytes) {
    if (liveBytes <= markBytes) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "the tasks in the engine hold %d MiB of its heap, and more than %d MiB leave no room"
                + " for one more",
            (liveBytes - ownBytes) / MIB,
            (markBytes - ownBytes) / MIB));
  }
}
