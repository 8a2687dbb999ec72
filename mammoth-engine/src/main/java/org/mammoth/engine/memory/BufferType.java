package org.mammoth.engine.memory;

import java.nio.ByteBuffer;

/**
 * Where a pool's memory lies; the three kinds compared in the Flame-MR paper (Veiga et al. 2018,
 * §3.2). Direct buffers save a copy on each read and write of a file or a socket.
 */
public enum BufferType {
  /** Outside the Java heap. */
  DIRECT {
    @Override
    CacheUnit make(int capacity) {
      return new BufferUnit(PageAligned.allocate(capacity));
    }
  },
  /** Buffers on the Java heap. */
  HEAP {
    @Override
    CacheUnit make(int capacity) {
      return new BufferUnit(ByteBuffer.allocate(capacity));
    }
  },
  /** Bare arrays on the Java heap. */
  ARRAY {
    @Override
    CacheUnit make(int capacity) {
      return new ArrayUnit(new byte[capacity]);
    }
  };

  /** Allocates one unit of {@code capacity} bytes. */
  abstract CacheUnit make(int capacity);
}
