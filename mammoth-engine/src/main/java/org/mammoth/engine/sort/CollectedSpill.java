// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A spill for comparators that may say anything of two keys: the order is what upstream's sort
 * makes of the records as they were collected, so they wait as they are.
 *
 * <p>One thread at a time.
 */
final class CollectedSpill implements Spill {

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

  private EntryIndex sorted;

  /**
   * An empty spill.
   *
   * @param source lends the slabs in which it sorts, of {@code slabBytes}; of any size but a power
   *     of two it takes one element only
   */
  CollectedSpill(ElementSource source, int slabBytes, ElementSorter sorter, int partitions) {
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

  private boolean reserve(long count) {
    return pages.reserve((count + entriesPerPage - 1) / entriesPerPage);
  }

  @Override
  public void end() {
    if (sorted != null || elements.isEmpty()) {
      return;
    }
    if (elements.size() == 1 && !isShared) {
      sorted = elements.get(0).index();
      sorter.sortLikeUpstream(sorted);
      return;
    }
    byte[][] slabs = new byte[elements.size()][];
    for (int i = 0; i < slabs.length; i++) {
      slabs[i] = elements.get(i).bytes();
    }
    sorted = new EntryIndex(pages.arrays(), slabs, slabBits);
    sorter.sortLikeUpstream(elements, ofLast, sorted);
  }

  @Override
  public PartitionCursor cursor() {
    end();
    return new IndexCursor(sorted);
  }

  @Override
  public long length(int partition) {
    return lengths(sorted, partitions)[partition];
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
  }
}
