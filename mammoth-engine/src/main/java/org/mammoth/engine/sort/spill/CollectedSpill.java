// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.elements.ElementSorter;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.EntryIndex;
import org.mammoth.engine.sort.elements.IndexCursor;
import org.mammoth.engine.sort.elements.PagedLongs;
import org.mammoth.engine.sort.elements.PrefixRanks;
import org.mammoth.engine.sort.elements.ReservedSlabs;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergedInput;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.RecordForm;

/**
 * A spill that is sorted as upstream sorts it, so that records wait as they were collected: for
 * comparators that may say anything of two keys, and for keys that compare by their prefixes.
 *
 * <p>One thread at a time.
 */
public final class CollectedSpill implements Spill {

  private final KeyOrder order;
  private final ElementSource source;
  private final ElementSorter sorter;
  private final int partitions;
  private final int slabBits;
  private final int mostElements;
  private final int entriesPerPage;
  private final List<Element> elements = new ArrayList<>();
  private final ReservedSlabs pages;

  private long entries;

  /** How many records of the last element belong to it. */
  private int ofLast;

  /** Whether the last element's slab is not its own. */
  private boolean isShared;

  /** All records once it has ended; null if they are ranked. */
  private EntryIndex sorted;

  /** Rank and place of all records once it has ended, if their prefixes are ranks. */
  private PagedLongs ranked;

  private byte[][] slabs;

  /** Of each partition, known when asked for or ranked. */
  private long[] lengths;

  private int[] counts;

  /**
   * An empty spill.
   *
   * @param source lends the slabs in which it sorts, of {@code slabBytes}; of any size but a power
   *     of two it takes one element only
   */
  public CollectedSpill(
      KeyOrder order, ElementSource source, int slabBytes, ElementSorter sorter, int partitions) {
    this.order = order;
    this.source = source;
    this.sorter = sorter;
    this.partitions = partitions;
    this.slabBits = Integer.numberOfTrailingZeros(slabBytes);
    this.mostElements = slabBytes == 1 << slabBits ? Integer.MAX_VALUE >>> slabBits : 1;
    this.entriesPerPage = slabBytes / EntryIndex.ENTRY_BYTES;
    this.pages = new ReservedSlabs(source);
  }

  @Override
  public boolean isEmpty() {
    return elements.isEmpty();
  }

  @Override
  public boolean add(Element element, int count) {
    boolean shared = count < element.count();
    if (elements.size() == mostElements || shared && mostElements == 1) {
      return false;
    }
    if ((shared || !elements.isEmpty()) && !reserve(entries + count)) {
      if (elements.isEmpty()) {
        free();
      }
      return false;
    }
    elements.add(element);
    entries += count;
    ofLast = count;
    isShared = shared;
    return true;
  }

  /** Sees to the memory for so many records in all; false if there is not enough. */
  boolean reserve(long count) {
    return pages.reserve((count + entriesPerPage - 1) / entriesPerPage);
  }

  @Override
  public void end() {
    if (sorted != null || ranked != null || elements.isEmpty()) {
      return;
    }
    if (elements.size() == 1 && !isShared) {
      sorted = elements.get(0).index();
      sorter.sortLikeUpstream(sorted);
      return;
    }
    slabs = new byte[elements.size()][];
    for (int i = 0; i < slabs.length; i++) {
      slabs[i] = elements.get(i).bytes();
    }
    PrefixRanks ranks =
        order.isTotal() ? PrefixRanks.of(order, partitions, elements, ofLast) : null;
    if (ranks != null) {
      sort(ranks);
      return;
    }
    sorted = new EntryIndex(pages.arrays(), slabs, slabBits);
    sorter.sortLikeUpstream(elements, ofLast, sorted);
  }

  private void sort(PrefixRanks ranks) {
    PagedLongs numbers = new PagedLongs(pages, 1 << slabBits);
    lengths = new long[partitions];
    counts = new int[partitions];
    Arrays.fill(lengths, MergedInput.MARK_BYTES);
    int at = (int) entries;
    for (int i = 0; i < elements.size(); i++) {
      EntryIndex index = elements.get(i).index();
      int count = i == elements.size() - 1 ? ofLast : index.count();
      long distance = (long) i << slabBits;
      for (int entry = 0; entry < count; entry++) {
        int partition = index.partition(entry);
        int place = (int) index.place(entry);
        long rank = ranks.of(partition, index.prefix(entry));
        // upstream's buffer has the record that came last at its front
        numbers.set(--at, rank << Integer.SIZE | place + distance);
        lengths[partition] += RecordForm.length(index.slab(place), index.start(place));
        counts[partition]++;
      }
    }
    RankSort.sort(numbers, (int) entries);
    ranked = numbers;
  }

  @Override
  public PartitionCursor cursor() {
    end();
    return ranked == null
        ? new IndexCursor(sorted)
        : new RankedCursor(order, slabs, slabBits, ranked, counts);
  }

  @Override
  public long length(int partition) {
    if (lengths == null) {
      lengths = lengths(sorted, partitions);
    }
    return lengths[partition];
  }

  /** Bytes of each partition's records as a segment. */
  static long[] lengths(EntryIndex index, int partitions) {
    long[] all = new long[partitions];
    Arrays.fill(all, MergedInput.MARK_BYTES);
    for (int i = 0; i < index.count(); i++) {
      int place = (int) index.place(i);
      all[index.partition(i)] += RecordForm.length(index.slab(place), index.start(place));
    }
    return all;
  }

  @Override
  public void free() {
    int own = isShared ? elements.size() - 1 : elements.size();
    for (Element element : elements.subList(0, own)) {
      source.give(element.bytes());
    }
    elements.clear();
    pages.free();
    entries = 0;
    ofLast = 0;
    isShared = false;
    sorted = null;
    ranked = null;
    slabs = null;
    lengths = null;
    counts = null;
  }
}
