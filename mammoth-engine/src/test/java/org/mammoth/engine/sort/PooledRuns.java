// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.sort.merge.SegmentInput;

/** Runs in units of a pool, each segment by itself; what finds no unit goes to an array instead. */
public final class PooledRuns implements RunStore {

  private final UnitSource units;
  int segmentsInMemory;
  int segmentsOnDisk;

  PooledRuns(UnitSource units) {
    this.units = units;
  }

  @Override
  public Writer create(int segments) {
    return new Segments();
  }

  /** Bytes in units until one is refused, and the rest in an array. */
  private static final class Segment extends OutputStream {
    private final CacheFile memory;
    private final ByteArrayOutputStream disk = new ByteArrayOutputStream();
    private boolean full;

    Segment(UnitSource units) {
      memory = new CacheFile(units);
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      full = full || !memory.tryAppend(bytes, offset, length);
      if (full) {
        disk.write(bytes, offset, length);
      }
    }

    SegmentInput read() {
      long inMemory = memory.length();
      SegmentInput rest = HeapRuns.input(disk.toByteArray());
      return new SegmentInput() {
        private long at;

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          if (at == inMemory) {
            return rest.read(into, offset, length);
          }
          int read = memory.read(at, into, offset, (int) Math.min(length, inMemory - at));
          if (read <= 0) {
            throw new IOException("the run was taken away");
          }
          memory.discard(at, at + read);
          at += read;
          return read;
        }

        @Override
        public void close() {
          memory.close();
        }
      };
    }
  }

  private final class Segments implements Writer {
    private final List<Segment> segments = new ArrayList<>();
    private boolean finished;

    @Override
    public OutputStream begin(int partition) {
      segments.add(new Segment(units));
      return segments.get(partition);
    }

    @Override
    public void end(int partition, long rawBytes, long records) {
      Segment segment = segments.get(partition);
      segment.memory.finish();
      segmentsInMemory += segment.full ? 0 : 1;
      segmentsOnDisk += segment.full ? 1 : 0;
    }

    @Override
    public Run finish() {
      finished = true;
      return new Run() {
        @Override
        public long length(int partition) {
          return segments.get(partition).memory.length() + segments.get(partition).disk.size();
        }

        @Override
        public SegmentInput open(int partition) {
          return segments.get(partition).read();
        }

        @Override
        public void close() {
          segments.forEach(segment -> segment.memory.close());
        }
      };
    }

    @Override
    public void close() {
      if (!finished) {
        segments.forEach(segment -> segment.memory.close());
      }
    }
  }
}
