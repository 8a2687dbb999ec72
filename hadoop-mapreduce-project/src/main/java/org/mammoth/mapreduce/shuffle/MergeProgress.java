// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.util.Progress;
import org.mammoth.engine.sort.SegmentInput;

/**
 * Tells how much of a merge's input has been read. Upstream asks it once per record, so it answers
 * without the lock its parent takes. Any thread.
 */
final class MergeProgress extends Progress {

  private final long total;
  private final AtomicLong read = new AtomicLong();
  private volatile float part;

  MergeProgress(long total) {
    this.total = Math.max(1, total);
  }

  @Override
  public float getProgress() {
    return part;
  }

  @Override
  public float get() {
    return part;
  }

  /** So many bytes have come. Any thread. */
  void came(int bytes) {
    part = Math.min(1f, (float) read.addAndGet(bytes) / total);
  }

  SegmentInput count(SegmentInput input) {
    return new SegmentInput() {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int count = input.read(into, offset, length);
        if (count > 0) {
          came(count);
        }
        return count;
      }

      @Override
      public void close() throws IOException {
        input.close();
      }
    };
  }
}
