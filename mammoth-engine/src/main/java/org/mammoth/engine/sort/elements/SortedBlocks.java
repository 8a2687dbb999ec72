// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.mammoth.engine.sort.merge.RecordForm;

/**
 * The sorted blocks of one map and the slabs they lie in, which they fill one after the other. One
 * thread at a time.
 */
public final class SortedBlocks {

  private final ElementSource source;
  private final int slabBytes;
  private final int partitions;
  private final List<SortedBlock> blocks = new ArrayList<>();
  private final List<byte[]> slabs = new ArrayList<>();
  private final Deque<byte[]> reserved = new ArrayDeque<>();
  private byte[] slab;
  private int end;

  private byte[][] pieceSlabs = new byte[16][];
  private int[] numbers = new int[16];
  private int[] froms = new int[16];
  private int[] tos = new int[16];
  private int pieces;

  public SortedBlocks(ElementSource source, int slabBytes, int partitions) {
    this.source = source;
    this.slabBytes = slabBytes;
    this.partitions = partitions;
  }

  public List<SortedBlock> all() {
    return blocks;
  }

  /** The slabs that hold records, by their numbers. */
  public byte[][] slabs() {
    return slabs.toArray(new byte[0][]);
  }

  /** How many slabs it holds. */
  public int slabCount() {
    return slabs.size() + reserved.size();
  }

  public boolean isEmpty() {
    return blocks.isEmpty();
  }

  /**
   * Takes the slabs that a block needs, if they were not taken before.
   *
   * @param size bytes of its records
   * @param largest bytes of the largest of them
   * @return false if there are not enough, or a record is too large
   */
  public boolean reserve(long size, int largest) {
    // no record lies in two slabs, so that each may end with a gap smaller than the largest
    long perSlab = slabBytes - largest + 1L;
    if (perSlab <= 0) {
      return false;
    }
    long begun = slab == null ? 0 : Math.max(0, perSlab - end);
    long left = size - begun - reserved.size() * perSlab;
    while (left > 0) {
      byte[] more = source.poll();
      if (more == null) {
        return false;
      }
      reserved.add(more);
      left -= perSlab;
    }
    return true;
  }

  /** Gives back what was reserved and not needed. */
  public void giveBackReserved() {
    reserved.forEach(source::give);
    reserved.clear();
  }

  /** Moves the records of a sorted index into the room that was reserved for them. */
  public void add(EntryIndex index) {
    int[] ends = new int[partitions];
    int partition = 0;
    pieces = 0;
    int count = index.count();
    for (int i = 0; i < count; i++) {
      long entry = index.place(i);
      int wanted = (int) (entry >>> 32);
      int place = (int) entry;
      byte[] from = index.slab(place);
      int start = index.start(place);
      int length = RecordForm.length(from, start);
      if (partition != wanted || pieces == 0) {
        while (partition < wanted) {
          ends[partition++] = pieces;
        }
        openPiece();
      }
      if (slab == null || length > slabBytes - end) {
        nextSlab();
      }
      System.arraycopy(from, start, slab, end, length);
      end += length;
      tos[pieces - 1] = end;
    }
    Arrays.fill(ends, partition, partitions, pieces);
    blocks.add(
        new SortedBlock(
            Arrays.copyOf(pieceSlabs, pieces),
            Arrays.copyOf(numbers, pieces),
            Arrays.copyOf(froms, pieces),
            Arrays.copyOf(tos, pieces),
            ends));
  }

  private void nextSlab() {
    boolean begun = tos[pieces - 1] > froms[pieces - 1];
    slab = reserved.remove();
    slabs.add(slab);
    end = 0;
    if (begun) {
      openPiece();
    } else {
      pieceSlabs[pieces - 1] = slab;
      numbers[pieces - 1] = slabs.size() - 1;
      froms[pieces - 1] = 0;
    }
  }

  private void openPiece() {
    if (pieces == froms.length) {
      pieceSlabs = Arrays.copyOf(pieceSlabs, 2 * pieces);
      numbers = Arrays.copyOf(numbers, 2 * pieces);
      froms = Arrays.copyOf(froms, 2 * pieces);
      tos = Arrays.copyOf(tos, 2 * pieces);
    }
    pieceSlabs[pieces] = slab;
    numbers[pieces] = slabs.size() - 1;
    froms[pieces] = end;
    tos[pieces] = end;
    pieces++;
  }

  /** Forgets the blocks and gives their slabs back. */
  public void free() {
    blocks.clear();
    slabs.forEach(source::give);
    slabs.clear();
    giveBackReserved();
    slab = null;
    end = 0;
  }
}
