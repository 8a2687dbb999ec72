// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.util.ArrayList;
import java.util.List;

/**
 * The output of a map for as long as upstream would sort it in one spill. Elements wait as they
 * were collected and are sorted at once, in the order that upstream's sort gives them: equal keys,
 * and whatever a comparator makes of keys, come as they do there, and a combiner runs once. That
 * costs more than any order of equal keys does, so it is done only where it shows.
 *
 * <p>One thread at a time.
 */
final class SingleSpill {

  private final KeyOrder order;
  private final ElementSource source;
  private final ElementSorter sorter;
  private final int slabBits;
  private final int mostElements;
  private final int entriesPerPage;
  private final long mostBytes;
  private final boolean likeUpstream;
  private final List<Element> elements = new ArrayList<>();
  private final List<byte[]> pages = new ArrayList<>();

  /** Records so far, and those that are here. */
  private long entries;

  private long entriesHere;

  /** Keys and values so far. */
  private long bytes;

  private boolean starved;

  /**
   * An empty spill.
   *
   * @param source lends the slabs in which it sorts, of {@code slabBytes}; of any size but a power
   *     of two it takes one element only
   * @param mostBytes upstream spills when keys, values and 16 bytes for each record reach this
   * @param likeUpstream false if no order of equal keys shows in what the job does with them
   */
  SingleSpill(
      KeyOrder order,
      ElementSource source,
      int slabBytes,
      ElementSorter sorter,
      long mostBytes,
      boolean likeUpstream) {
    this.order = order;
    this.source = source;
    this.sorter = sorter;
    this.slabBits = Integer.numberOfTrailingZeros(slabBytes);
    this.mostElements = slabBytes == 1 << slabBits ? Integer.MAX_VALUE >>> slabBits : 1;
    this.entriesPerPage = slabBytes / EntryIndex.ENTRY_BYTES;
    this.mostBytes = mostBytes;
    this.likeUpstream = likeUpstream;
  }

  boolean isEmpty() {
    return elements.isEmpty();
  }

  /** Whether what a job does with equal keys shows their order. */
  boolean isLikeUpstream() {
    return likeUpstream;
  }

  /**
   * Takes an element over, and the memory for sorting it.
   *
   * @return false, and nothing changed, if upstream would have spilled before its end, or there is
   *     not enough memory
   */
  boolean add(Element element) {
    long count = entries + element.count();
    long size = bytes + element.payload();
    if (size + EntryIndex.ENTRY_BYTES * count >= mostBytes || elements.size() == mostElements) {
      return false;
    }
    if (!elements.isEmpty() && !reserve(entriesHere + element.count())) {
      starved = true;
      return false;
    }
    elements.add(element);
    entries = count;
    entriesHere += element.count();
    bytes = size;
    return true;
  }

  /** Whether there was not enough memory for an element. */
  boolean isStarved() {
    return starved;
  }

  private boolean reserve(long count) {
    while ((long) pages.size() * entriesPerPage < count) {
      byte[] page = source.poll();
      if (page == null) {
        return false;
      }
      pages.add(page);
    }
    return true;
  }

  /** Sorts all records; they stay where they are. */
  EntryIndex sort() {
    if (elements.size() == 1) {
      // few enough not to ask whether it shows
      EntryIndex only = elements.get(0).index();
      sorter.sortLikeUpstream(only);
      return only;
    }
    EntryIndex sorted = index();
    if (order.isTotal()) {
      sorter.sort(elements, sorted);
      if (!likeUpstream || !sorter.hasEqualKeys(sorted)) {
        return sorted;
      }
      sorted = index();
    }
    sorter.sortLikeUpstream(elements, sorted);
    return sorted;
  }

  private EntryIndex index() {
    byte[][] slabs = new byte[elements.size()][];
    for (int i = 0; i < slabs.length; i++) {
      slabs[i] = elements.get(i).bytes();
    }
    return new EntryIndex(pages.toArray(new byte[0][]), slabs, slabBits);
  }

  /** Hands the elements on, unsorted, and forgets them. */
  List<Element> release() {
    List<Element> released = List.copyOf(elements);
    elements.clear();
    free();
    return released;
  }

  /** Forgets the records, but not how many there were, and gives all memory back. */
  void free() {
    for (Element element : elements) {
      source.give(element.bytes());
    }
    elements.clear();
    pages.forEach(source::give);
    pages.clear();
    entriesHere = 0;
    starved = false;
  }
}
