// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.elements.ElementSorter;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.EntryIndex;
import org.mammoth.engine.sort.elements.IndexCursor;
import org.mammoth.engine.sort.elements.PagedInts;
import org.mammoth.engine.sort.elements.PagedLongs;
import org.mammoth.engine.sort.elements.SortedBlock;
import org.mammoth.engine.sort.elements.SortedBlocks;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergedInput;
import org.mammoth.engine.sort.merge.PartitionCursor;

/**
 * A spill for comparators that are known to be an order. Elements are sorted some at a time, while
 * the processor's cache holds them, and their records move into blocks. Only where keys turn out to
 * be equal that belong to different records is upstream's sort run: on the ranks of the keys, in
 * the order in which the records were collected ({@link StockOrder}).
 *
 * <p>One thread at a time.
 */
public final class BlockSpill implements Spill {

  /** So many elements at most are sorted at a time, so that moving them takes little memory. */
  private static final int MOST_WAITING = 8;

  private final KeyOrder order;
  private final ElementSource source;
  private final ElementSorter sorter;
  private final int partitions;
  private final int slabBits;
  private final int mostEntries;
  private final SortedBlocks blocks;

  /** Elements that are not sorted yet. */
  private final List<Element> waiting = new ArrayList<>();

  private int ofLast;
  private int entriesWaiting;
  private long bytesWaiting;

  /** Of all records so far. */
  private int largest;

  private byte[] indexSlab;

  /** Whether there is memory to sort and move what waits. */
  private boolean isReserved;

  /** Of each record in its block's order, where it lay among those it was sorted with. */
  private final PagedInts places;

  /** For {@link StockOrder}, should it be needed. */
  private final PagedLongs ranked;

  /** How many records each partition has in the blocks. */
  private final int[] counts;

  /** Of each block, how many records it and those before it have. */
  private final List<Integer> ends = new ArrayList<>();

  private int moved;

  /** The entries of what waits, if it was sorted already. */
  private EntryIndex sorted;

  /** The only element, sorted. */
  private EntryIndex only;

  /**
   * An empty spill.
   *
   * @param source lends slabs of {@code slabBytes}, a power of two
   */
  public BlockSpill(
      KeyOrder order, ElementSource source, int slabBytes, ElementSorter sorter, int partitions) {
    this.order = order;
    this.source = source;
    this.sorter = sorter;
    this.partitions = partitions;
    this.slabBits = Integer.numberOfTrailingZeros(slabBytes);
    this.mostEntries = slabBytes / EntryIndex.ENTRY_BYTES;
    this.blocks = new SortedBlocks(source, slabBytes, partitions);
    this.places = new PagedInts(source, slabBytes);
    this.ranked = new PagedLongs(source, slabBytes);
    this.counts = new int[partitions];
  }

  @Override
  public boolean isEmpty() {
    return waiting.isEmpty() && moved == 0;
  }

  @Override
  public boolean add(Element element, int count) {
    boolean shared = count < element.count();
    int bytes = element.bytesOf(count);
    if ((shared || !isEmpty()) && !hasRoom(element, count, bytes)) {
      return false;
    }
    if (entriesWaiting + count > mostEntries || waiting.size() == MOST_WAITING) {
      settle();
    }
    waiting.add(element);
    sorted = null;
    ofLast = count;
    entriesWaiting += count;
    bytesWaiting += bytes;
    largest = Math.max(largest, element.largest());
    if (shared) {
      settle();
    }
    return true;
  }

  /** Whether there is memory for an element; what waits is sorted if that makes some. */
  private boolean hasRoom(Element element, int count, int bytes) {
    boolean was = isReserved;
    isReserved = reserve(element, count, bytes);
    if (!isReserved && was && !waiting.isEmpty()) {
      settle();
      isReserved = reserve(element, count, bytes);
    }
    if (!isReserved && isEmpty()) {
      free();
    }
    return isReserved;
  }

  /** Takes the memory for moving and sorting what waits and one element more. */
  private boolean reserve(Element element, int count, int bytes) {
    long entries = (long) moved + entriesWaiting + count;
    if (indexSlab == null) {
      indexSlab = source.poll();
    }
    return indexSlab != null
        && blocks.reserve(bytesWaiting + bytes, Math.max(largest, element.largest()))
        && blocks.slabCount() < Integer.MAX_VALUE >>> slabBits
        && places.reserve(entries)
        && ranked.reserve(entries);
  }

  /** Sorts the elements that wait, and moves their records into a block. */
  private void settle() {
    EntryIndex index = sorted == null ? sortWaiting() : sorted;
    sorted = null;
    for (int i = 0; i < index.count(); i++) {
      places.set(moved + i, (int) index.place(i));
      counts[index.partition(i)]++;
    }
    blocks.add(index);
    moved += index.count();
    ends.add(moved);
    giveWaiting();
  }

  private EntryIndex sortWaiting() {
    byte[][] slabs = new byte[waiting.size()][];
    for (int i = 0; i < slabs.length; i++) {
      slabs[i] = waiting.get(i).bytes();
    }
    EntryIndex index = new EntryIndex(new byte[][] {indexSlab}, slabs, slabBits);
    sorter.sort(waiting, ofLast, index);
    return index;
  }

  /** Whether an element with so many records would begin another block, or ends this one. */
  boolean fillsFirstBlock(Element element, int count) {
    boolean full = entriesWaiting + count > mostEntries || waiting.size() == MOST_WAITING;
    return full || count < element.count();
  }

  /** The elements that wait for the first block; none if it was made. */
  List<Element> firstElements() {
    return moved == 0 ? List.copyOf(waiting) : List.of();
  }

  /** Sorts the elements that wait, of which there are at least two, and keeps the index. */
  EntryIndex sortFirst() {
    sorted = sortWaiting();
    return sorted;
  }

  /** Forgets the elements that wait, which are another's now, and gives all memory back. */
  void leaveElements() {
    waiting.clear();
    free();
  }

  private void giveWaiting() {
    for (int i = 0; i < waiting.size(); i++) {
      Element element = waiting.get(i);
      if (i < waiting.size() - 1 || ofLast == element.count()) {
        source.give(element.bytes());
      }
    }
    waiting.clear();
    entriesWaiting = 0;
    bytesWaiting = 0;
  }

  @Override
  public void end() {
    if (moved == 0 && waiting.size() == 1) {
      // few enough not to ask whether the order of equal keys shows
      if (only == null) {
        only = waiting.get(0).index();
        sorter.sortLikeUpstream(only);
      }
    } else if (!waiting.isEmpty()) {
      settle();
    }
    if (indexSlab != null) {
      source.give(indexSlab);
      indexSlab = null;
    }
    blocks.giveBackReserved();
  }

  @Override
  public PartitionCursor cursor() {
    end();
    return only != null ? new IndexCursor(only) : new BlockSpillCursor(order, blocks.all(), this);
  }

  /** All records in upstream's order. */
  RankedCursor inStockOrder() throws IOException {
    new StockOrder(order, partitions).sort(blocks.all(), ends, places, slabBits, ranked);
    return new RankedCursor(order, blocks.slabs(), slabBits, ranked, counts);
  }

  @Override
  public long length(int partition) {
    if (only != null) {
      return CollectedSpill.lengths(only, partitions)[partition];
    }
    long length = MergedInput.MARK_BYTES;
    for (SortedBlock block : blocks.all()) {
      length += block.length(partition);
    }
    return length;
  }

  @Override
  public void free() {
    giveWaiting();
    blocks.free();
    places.free();
    ranked.free();
    Arrays.fill(counts, 0);
    sorted = null;
    if (indexSlab != null) {
      source.give(indexSlab);
      indexSlab = null;
    }
    ends.clear();
    isReserved = false;
    moved = 0;
    largest = 0;
    only = null;
  }
}
