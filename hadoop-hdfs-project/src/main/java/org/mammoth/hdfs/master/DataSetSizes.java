// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.hdfs.master.NamespaceBlocks.Place;
import org.mammoth.mpcache.master.BlockResolver.Located;

/**
 * How many blocks and bytes a data set has. Counted a few hundred files at a time, so what changes
 * meanwhile may be counted or not; kept for a while. Safe for any thread.
 */
final class DataSetSizes {

  private static final int REMEMBERED = 10_000;

  /** A count may take one part in so many of the time. */
  private static final int PATIENCE = 100;

  private record Counted(Located size, long nanos, long tookNanos) {}

  private final NamespaceBlocks blocks;
  private final FSNamesystem namesystem;
  private final long freshNanos;
  private final LongSupplier nanoClock;
  private final Map<Place, Counted> counted = LatestMap.byUse(REMEMBERED);

  /**
   * @param freshNanos how old a count may be; that of a large set, a hundred times what it took
   */
  DataSetSizes(
      NamespaceBlocks blocks, FSNamesystem namesystem, long freshNanos, LongSupplier nanoClock) {
    this.blocks = blocks;
    this.namesystem = namesystem;
    this.freshNanos = freshNanos;
    this.nanoClock = nanoClock;
  }

  Located of(Place place) {
    long now = nanoClock.getAsLong();
    synchronized (counted) {
      Counted known = counted.get(place);
      if (known != null
          && now - known.nanos() < Math.max(freshNanos, PATIENCE * known.tookNanos())) {
        return known.size();
      }
    }
    Located size = new Walk(place).count();
    synchronized (counted) {
      counted.put(place, new Counted(size, now, nanoClock.getAsLong() - now));
    }
    return size;
  }

  /** One count; one thread. */
  private final class Walk {

    private final Place place;
    private final Deque<Long> directories = new ArrayDeque<>();
    private int next;
    private int blockCount;
    private long bytes;

    Walk(Place place) {
      this.place = place;
      directories.add(place.inode());
    }

    Located count() {
      while (!directories.isEmpty()) {
        blocks.locked(this::step);
      }
      return new Located(place.id(), Math.max(1, blockCount), bytes);
    }

    private void step() {
      INode directory = namesystem.getFSDirectory().getInode(directories.peek());
      if (directory == null || !directory.isDirectory()) {
        if (directory != null && directory.isFile()) {
          add(directory.asFile());
        }
        finishDirectory();
        return;
      }
      ReadOnlyList<INode> children =
          directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
      int end = Math.min(children.size(), next + NamespaceBlocks.BATCH);
      for (; next < end; next++) {
        INode child = children.get(next);
        if (child.isFile()) {
          add(child.asFile());
        } else if (place.deep() && child.isDirectory()) {
          directories.addLast(child.getId());
        }
      }
      if (next >= children.size()) {
        finishDirectory();
      }
    }

    private void finishDirectory() {
      directories.removeFirst();
      next = 0;
    }

    private void add(INodeFile file) {
      if (!file.isStriped()) {
        blockCount += file.numBlocks();
        bytes += file.computeFileSize();
      }
    }
  }
}
