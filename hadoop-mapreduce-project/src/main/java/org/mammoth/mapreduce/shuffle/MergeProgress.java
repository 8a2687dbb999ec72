package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import org.apache.hadoop.util.Progress;
import org.mammoth.engine.sort.SegmentInput;

/**
 * Tells how much of a merge's input has been read. Upstream asks it once per record, so it answers
 * without the lock its parent takes. Written by one thread, read by any.
 */
final class MergeProgress extends Progress {

  private final long total;
  private long read;
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

  SegmentInput count(SegmentInput input) {
    return new SegmentInput() {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int count = input.read(into, offset, length);
        if (count > 0) {
          read += count;
          part = Math.min(1f, (float) read / total);
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
