// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.io.OutputStream;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.sort.Run;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * A run in cache units: plain records, no codec, no checksum. Units go back as they are read. One
 * thread at a time.
 */
final class MemoryRun implements Run {

  private static final int COPY_BYTES = 64 << 10;

  private final CacheFile bytes;
  private final long[] ends;

  MemoryRun(UnitSource units, int partitions) {
    bytes = new CacheFile(units);
    ends = new long[partitions];
  }

  /** Appends to the current segment; false, and nothing changed, if no unit is to be had. */
  boolean append(byte[] from, int offset, int length) {
    return bytes.tryAppend(from, offset, length);
  }

  void endSegment(int partition) {
    ends[partition] = bytes.length();
  }

  void finish() {
    bytes.finish();
  }

  long length() {
    return bytes.length();
  }

  private long start(int partition) {
    return partition == 0 ? 0 : ends[partition - 1];
  }

  @Override
  public long length(int partition) {
    return ends[partition] - start(partition);
  }

  /** Copies a complete segment. */
  void copyTo(int partition, OutputStream out) throws IOException {
    copy(start(partition), ends[partition], out);
  }

  /** Copies what there is of the segment that is being written. */
  void copyRestTo(int partition, OutputStream out) throws IOException {
    copy(start(partition), bytes.length(), out);
  }

  private void copy(long from, long to, OutputStream out) throws IOException {
    byte[] buffer = new byte[(int) Math.min(COPY_BYTES, to - from)];
    long at = from;
    while (at < to) {
      int read = bytes.read(at, buffer, 0, (int) Math.min(buffer.length, to - at));
      if (read <= 0) {
        throw new IOException("a sorted run was taken from memory while it went to disk");
      }
      out.write(buffer, 0, read);
      at += read;
    }
  }

  @Override
  public SegmentInput open(int partition) {
    long end = ends[partition];
    return new SegmentInput() {
      private long position = start(partition);

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int wanted = (int) Math.min(length, end - position);
        if (wanted <= 0) {
          return -1;
        }
        int read = bytes.read(position, into, offset, wanted);
        if (read <= 0) {
          throw new IOException("a sorted run was taken from memory while it was read");
        }
        bytes.discard(position, position + read);
        position += read;
        return read;
      }

      @Override
      public void close() {
        if (position < end) {
          bytes.discard(position, end);
          position = end;
        }
      }
    };
  }

  @Override
  public void close() {
    bytes.close();
  }
}
