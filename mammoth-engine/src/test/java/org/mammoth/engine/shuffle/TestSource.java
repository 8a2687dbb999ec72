// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;

/** Segments whose bytes follow from the attempt and the offset, of any length. */
public final class TestSource implements SegmentSource {

  /** Called before each read. */
  public interface ReadHook {
    void before(SegmentKey key, long offset) throws IOException;
  }

  private final Map<SegmentKey, Long> lengths = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();
  public final AtomicInteger reads = new AtomicInteger();
  public volatile ReadHook hook = (key, offset) -> {};
  public volatile long identity = 7;

  /** What opening and reading an attempt's output may wait for. */
  public volatile UnaryOperator<String> disks = attempt -> Readers.MEMORY;

  public SegmentKey add(String job, String attempt, int partition, long length) {
    SegmentKey key = new SegmentKey(job, attempt, partition);
    lengths.put(key, length);
    return key;
  }

  /** Segments open at this moment. */
  public int open() {
    return open.get();
  }

  public static byte byteAt(SegmentKey key, long offset) {
    long mixed = (offset + key.mapAttempt().hashCode() + key.partition()) * 0x9E3779B97F4A7C15L;
    return (byte) (mixed >>> 56);
  }

  public static byte[] bytes(SegmentKey key, long offset, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = byteAt(key, offset + i);
    }
    return bytes;
  }

  @Override
  public String waitsFor(String job, String mapAttempt) {
    return disks.apply(mapAttempt);
  }

  @Override
  public Segment find(String job, String mapAttempt, int partition) {
    SegmentKey key = new SegmentKey(job, mapAttempt, partition);
    Long length = lengths.get(key);
    if (length == null) {
      return null;
    }
    open.incrementAndGet();
    return new Segment() {
      private boolean closed;

      @Override
      public String waitsFor(long offset) {
        return disks.apply(mapAttempt);
      }

      @Override
      public long rawLength() {
        return length * 2;
      }

      @Override
      public long partLength() {
        return length;
      }

      @Override
      public long identity() {
        return identity;
      }

      @Override
      public int flags() {
        return 0;
      }

      @Override
      public void read(long offset, ByteBuffer into) throws IOException {
        if (closed) {
          throw new IllegalStateException("read after close");
        }
        reads.incrementAndGet();
        hook.before(key, offset);
        // In two pieces, so that short reads are met.
        int now = Math.max(1, into.remaining() / 2);
        for (int i = 0; i < now; i++) {
          into.put(byteAt(key, offset + i));
        }
      }

      @Override
      public void close() {
        if (closed) {
          throw new IllegalStateException("closed twice");
        }
        closed = true;
        open.decrementAndGet();
      }
    };
  }
}
