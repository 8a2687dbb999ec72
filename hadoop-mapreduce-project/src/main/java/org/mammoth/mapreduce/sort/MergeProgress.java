// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.util.Progress;

/**
 * Tells how much of a merge's records have been handed out, by bytes, as upstream's merge does: a
 * reducer may ask at any record. Upstream asks it once per record, so it answers without the lock
 * its parent takes. One thread moves it, any asks.
 */
final class MergeProgress extends Progress {

  /** Lengths below it are written as one byte. */
  private static final int SHORT = 128;

  private final float total;
  private long handedOut;
  private final AtomicLong shown = new AtomicLong();

  /** For records of {@code total} bytes, with their lengths, as they are in map outputs. */
  MergeProgress(long total) {
    this.total = Math.max(1, total);
  }

  @Override
  public float getProgress() {
    return Math.min(1f, shown.get() / total);
  }

  @Override
  public float get() {
    return getProgress();
  }

  /** A record with key and value of so many bytes is handed out. */
  void passed(int keyLength, int valueLength) {
    handedOut += (long) keyLength + valueLength + lengthOf(keyLength) + lengthOf(valueLength);
    shown.lazySet(handedOut);
  }

  /** There are no more. */
  void ended() {
    shown.lazySet(Math.max(handedOut, (long) total + 1));
  }

  private static int lengthOf(int count) {
    return count < SHORT ? 1 : WritableUtils.getVIntSize(count);
  }
}
