// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.sort.merge.SegmentInput;

/** Runs in plain arrays; also keeps the final output of a test. */
public final class HeapRuns implements RunStore {

  int open;

  @Override
  public Writer create(int segments) {
    open++;
    return new Segments(this);
  }

  /** One output, by partition. */
  public static final class Segments implements Writer, Run {
    private final HeapRuns owner;
    final List<byte[]> segments = new ArrayList<>();
    final List<Long> records = new ArrayList<>();
    private ByteArrayOutputStream current;

    public Segments(HeapRuns owner) {
      this.owner = owner;
    }

    @Override
    public OutputStream begin(int partition) {
      if (partition != segments.size()) {
        throw new IllegalStateException("partition " + partition + " out of order");
      }
      current = new ByteArrayOutputStream();
      return current;
    }

    @Override
    public void end(int partition, long rawBytes, long count) {
      if (rawBytes != current.size()) {
        throw new IllegalStateException(rawBytes + " claimed, " + current.size() + " written");
      }
      segments.add(current.toByteArray());
      records.add(count);
    }

    @Override
    public Run finish() {
      return this;
    }

    @Override
    public long length(int partition) {
      return segments.get(partition).length;
    }

    @Override
    public SegmentInput open(int partition) {
      return input(segments.get(partition));
    }

    @Override
    public void close() {}
  }

  public static SegmentInput input(byte[] bytes) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    return new SegmentInput() {
      @Override
      public int read(byte[] into, int offset, int length) {
        // short reads, as files and sockets give them
        return in.read(into, offset, Math.min(length, 1 + length / 3));
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }
}
