// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;

/**
 * All segments of a reduce in three levels (virtual shuffling paper, Yu et al. 2015, §3.1): a
 * global directory (SGD) of middle directories (SMD) of table directories (STD), whose entries lie
 * in units of the cache pool and are thus charged to the reduce. A segment is known by its index,
 * in the order in which segments were added, which is the order among records with equal keys.
 *
 * <p>Filled by one thread; then safe for any, each directory as it says.
 */
public final class SegmentTable implements AutoCloseable {

  /** Directories of one middle directory. */
  private static final int MIDDLE = 256;

  private final UnitSource units;
  private final int subtreeSize;
  private final int perUnit;
  private final List<CacheUnit> held = new ArrayList<>();
  private SegmentDirectory[][] global = new SegmentDirectory[1][];
  private int directories;
  private int size;
  private long bytes;

  /**
   * An empty table.
   *
   * @param units where its memory comes from
   * @param subtreeSize segments of a directory, from 1 to what fits a unit
   */
  public SegmentTable(UnitSource units, int subtreeSize) {
    this.units = units;
    this.subtreeSize = subtreeSize;
    this.perUnit =
        subtreeSize < 1
            ? 0
            : units.unitBytes() / Math.multiplyExact(subtreeSize, SegmentDirectory.ENTRY_BYTES);
    if (perUnit < 1) {
      throw new IllegalArgumentException(
          subtreeSize + " segments of a subtree do not fit a unit of " + units.unitBytes());
    }
  }

  /**
   * Adds a segment and tells its index.
   *
   * @param node a number of the caller's for the node that has it
   * @param map number of the map task
   * @param attempt number of the map's attempt, below 65,536
   * @param length bytes of its records, the end mark included, at least 2
   * @param identity what its source calls this very content
   * @throws IOException if there is no memory for the entry
   */
  public int add(int node, int map, int attempt, long length, long identity) throws IOException {
    if (length < 2) {
      throw new IOException("map " + map + "'s segment of " + length + " bytes has no end mark");
    }
    if (size == directories * subtreeSize) {
      addDirectory();
    }
    directory(size / subtreeSize).add(node, map, attempt, length, identity);
    bytes += length;
    return size++;
  }

  private void addDirectory() throws IOException {
    int inUnit = directories % perUnit;
    if (inUnit == 0) {
      CacheUnit unit = units.poll();
      if (unit == null) {
        throw new IOException(
            "the segment table of this reduce finds no memory after "
                + size
                + " segments. Raise mammoth.memory.pool-fraction.");
      }
      held.add(unit);
    }
    int middle = directories / MIDDLE;
    if (middle == global.length) {
      global = Arrays.copyOf(global, 2 * global.length);
    }
    if (global[middle] == null) {
      global[middle] = new SegmentDirectory[MIDDLE];
    }
    int length = subtreeSize * SegmentDirectory.ENTRY_BYTES;
    global[middle][directories % MIDDLE] =
        new SegmentDirectory(
            held.get(held.size() - 1).view(inUnit * length, length), directories * subtreeSize);
    directories++;
  }

  /** Segments of a full directory. */
  public int subtreeSize() {
    return subtreeSize;
  }

  /** How many directories there are; each is a subtree of the merge. */
  public int directories() {
    return directories;
  }

  /** The directory with this number, from 0. */
  public SegmentDirectory directory(int number) {
    return global[number / MIDDLE][number % MIDDLE];
  }

  /** The directory that has this segment; its slot there is the index less {@code first}. */
  public SegmentDirectory of(int segment) {
    return directory(segment / subtreeSize);
  }

  /** How many segments there are. */
  public int size() {
    return size;
  }

  /** Bytes of all segments together. */
  public long segmentBytes() {
    return bytes;
  }

  /** Bytes of memory it holds. */
  public long heldBytes() {
    return (long) held.size() * units.unitBytes();
  }

  /** Gives its memory back; nothing of it may be used any more. Safe to call twice. */
  @Override
  public void close() {
    held.forEach(units::give);
    held.clear();
    Arrays.fill(global, null);
    directories = 0;
    size = 0;
  }
}
