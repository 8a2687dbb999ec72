// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.engine.io.IoCharge.Memory;

/**
 * Verified blocks of files that a disk passed over on its way and that others will want soon. At
 * most so many bytes; those that came first go first. Any thread.
 */
final class AheadBlocks {

  private record Place(Path path, long version, long start) {}

  private final long most;
  private final String owner;
  private final IoCharge charge;

  @GuardedBy("this")
  private final Map<Place, byte[]> blocks = new LinkedHashMap<>();

  @GuardedBy("this")
  private long bytes;

  /**
   * Nothing yet.
   *
   * @param most bytes it may hold
   * @param owner whom {@code charge} is told
   */
  AheadBlocks(long most, String owner, IoCharge charge) {
    this.most = most;
    this.owner = owner;
    this.charge = charge;
  }

  /** Bytes it may hold. */
  long most() {
    return most;
  }

  /** Bytes it holds. */
  synchronized long bytes() {
    return bytes;
  }

  /**
   * Fills {@code into} if every block that it needs is here; a block that is read to its end is
   * dropped, since nobody reads a byte twice but at the seam of two partitions.
   *
   * @return false if not all of it is here; nothing was changed then
   */
  boolean take(Path path, long version, long from, ByteBuffer into) {
    long end = from + into.remaining();
    long dropped = 0;
    synchronized (this) {
      if (blocks.isEmpty()) {
        return false;
      }
      List<byte[]> needed = new ArrayList<>();
      for (long at = BlockSums.startOf(from); at < end; at += BlockSums.BLOCK_BYTES) {
        byte[] block = blocks.get(new Place(path, version, at));
        if (block == null || Math.min(end, at + BlockSums.BLOCK_BYTES) > at + block.length) {
          return false;
        }
        needed.add(block);
      }
      long at = BlockSums.startOf(from);
      for (byte[] block : needed) {
        int first = (int) Math.max(0, from - at);
        int last = (int) Math.min(block.length, end - at);
        into.put(block, first, last - first);
        if (last == block.length) {
          blocks.remove(new Place(path, version, at));
          dropped += block.length;
        }
        at += BlockSums.BLOCK_BYTES;
      }
      bytes -= dropped;
    }
    charged(-dropped);
    return true;
  }

  /** Keeps a block, in place of the eldest. */
  void put(Path path, long version, long start, byte[] block) {
    long change = 0;
    synchronized (this) {
      if (block.length > most) {
        return;
      }
      byte[] old = blocks.put(new Place(path, version, start), block);
      change += block.length - (old == null ? 0 : old.length);
      Iterator<byte[]> eldest = blocks.values().iterator();
      while (bytes + change > most) {
        change -= eldest.next().length;
        eldest.remove();
      }
      bytes += change;
    }
    charged(change);
  }

  /** Drops all of a file. */
  void forget(Path path) {
    long dropped = 0;
    synchronized (this) {
      Iterator<Map.Entry<Place, byte[]>> all = blocks.entrySet().iterator();
      while (all.hasNext()) {
        Map.Entry<Place, byte[]> entry = all.next();
        if (entry.getKey().path.equals(path)) {
          dropped += entry.getValue().length;
          all.remove();
        }
      }
      bytes -= dropped;
    }
    charged(-dropped);
  }

  private void charged(long change) {
    if (change != 0) {
      charge.changed(owner, Memory.HEAP, change);
    }
  }
}
