package org.mammoth.mapreduce.engine;

import java.util.ArrayDeque;
import org.mammoth.engine.memory.BufferType;
import org.mammoth.engine.memory.CachePool;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.sort.ElementSource;

/** TEMPORARY until the cache scheduler lands: everything to whoever asks first. */
final class NodeMemory {
  final SendBuffer sendBuffer = new SendBuffer();
  private final CachePool pool =
      new CachePool(BufferType.DIRECT, 2 << 20, Integer.getInteger("tmp.units", 600));
  private final ArrayDeque<byte[]> slabs = new ArrayDeque<>();

  UnitSource units() {
    return new UnitSource() {
      @Override
      public int unitBytes() {
        return pool.unitBytes();
      }

      @Override
      public CacheUnit poll() {
        return pool.poll();
      }

      @Override
      public CacheUnit take() {
        throw new UnsupportedOperationException();
      }

      @Override
      public void give(CacheUnit unit) {
        pool.give(unit);
      }

      @Override
      public void move(UnitSource to, long bytes) {}
    };
  }

  ElementSource elements() {
    return new ElementSource() {
      int lent;

      @Override
      public byte[] poll() {
        if (lent >= Integer.getInteger("tmp.slabs", 160)) {
          return null;
        }
        lent++;
        synchronized (slabs) {
          byte[] slab = slabs.poll();
          return slab == null ? new byte[1 << 20] : slab;
        }
      }

      @Override
      public byte[] take() {
        return poll();
      }

      @Override
      public void give(byte[] slab) {
        lent--;
        synchronized (slabs) {
          slabs.add(slab);
        }
      }
    };
  }
}
