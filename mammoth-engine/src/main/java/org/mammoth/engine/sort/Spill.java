// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What upstream would sort in one spill. Elements wait as they were collected and are sorted at
 * once, in the order that upstream's sort gives them: equal keys, and whatever a comparator makes
 * of keys, come as they do there. That costs more than any order of equal keys does, so it is done
 * only where it shows.
 *
 * <p>One thread at a time.
 */
final class Spill {

  private final KeyOrder order;
  private final ElementSource source;
  private final ElementSorter sorter;
  private final int slabBits;
  private final int mostElements;
  private final int entriesPerPage;
  private final boolean likeUpstream;
  private final int partitions;
  private final List<Element> elements = new ArrayList<>();
  private final List<byte[]> pages = new ArrayList<>();

  private long entries;

  /** How many records of the last element belong to it; the next spill has the others. */
  private int ofLast;

  private boolean isShared;
  private EntryIndex sorted;

  /** Of each partition, once they were asked for. */
  private long[] lengths;

  /**
   * An empty spill.
   *
   * @param source lends the slabs in which it sorts, of {@code slabBytes}; of any size but a power
   *     of two it takes one element only
   * @param likeUpstream false if no order of equal keys shows in what the job does with them
   */
  Spill(
      KeyOrder order,
      ElementSource source,
      int slabBytes,
      ElementSorter sorter,
      int partitions,
      boolean likeUpstream) {
    this.order = order;
    this.source = source;
    this.sorter = sorter;
    this.slabBits = Integer.numberOfTrailingZeros(slabBytes);
    this.mostElements = slabBytes == 1 << slabBits ? Integer.MAX_VALUE >>> slabBits : 1;
    this.entriesPerPage = slabBytes / EntryIndex.ENTRY_BYTES;
    this.partitions = partitions;
    this.likeUpstream = likeUpstream;
  }

  boolean isEmpty() {
    return elements.isEmpty();
  }

  /**
   * Takes an element, and the memory for sorting it.
   *
   * @param count how many of its records, the first ones. If not all, the element's slab stays with
   *     its other records, and the spill takes no more
   * @return false, and nothing changed, if there is not enough memory
   */
  boolean add(Element element, int count) {
    boolean shared = count < element.count();
    if (elements.size() == mostElements || shared && mostElements == 1) {
      return false;
    }
    if ((shared || !elements.isEmpty()) && !reserve(entries + count)) {
      return false;
    }
    elements.add(element);
    entries += count;
    ofLast = count;
    isShared = shared;
    return true;
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

  /** The records, sorted; they stay where they are. It takes no more then. */
  EntryIndex sort() {
    if (sorted == null) {
      sorted = sortNow();
    }
    return sorted;
  }

  private EntryIndex sortNow() {
    if (elements.size() == 1 && !isShared) {
      // few enough not to ask whether it shows
      EntryIndex only = elements.get(0).index();
      sorter.sortLikeUpstream(only);
      return only;
    }
    EntryIndex index = index();
    if (order.isTotal()) {
      sorter.sort(elements, ofLast, index);
      if (!likeUpstream || !sorter.hasEqualKeys(index)) {
        return index;
      }
      EntryIndex again = index();
      sorter.sortEqualsLikeUpstream(elements, ofLast, index, again);
      return again;
    }
    sorter.sortLikeUpstream(elements, ofLast, index);
    return index;
  }

  private EntryIndex index() {
    byte[][] slabs = new byte[elements.size()][];
    for (int i = 0; i < slabs.length; i++) {
      slabs[i] = elements.get(i).bytes();
    }
    return new EntryIndex(pages.toArray(new byte[0][]), slabs, slabBits);
  }

  /** Bytes of a partition's records as a segment, once it is sorted. */
  long length(int partition) {
    if (lengths == null) {
      lengths = lengths(sort());
    }
    return lengths[partition];
  }

  private long[] lengths(EntryIndex index) {
    long[] all = new long[partitions];
    Arrays.fill(all, MergedInput.MARK_BYTES);
    for (int i = 0; i < index.count(); i++) {
      int place = (int) index.place(i);
      all[index.partition(i)] += RecordForm.length(index.slab(place), index.start(place));
    }
    return all;
  }

  /** Hands the elements on, unsorted, and forgets them. */
  List<Element> release() {
    List<Element> released = List.copyOf(elements);
    elements.clear();
    free();
    return released;
  }

  /** Forgets the records and gives all memory back that is its own. */
  void free() {
    int own = isShared ? elements.size() - 1 : elements.size();
    for (Element element : elements.subList(0, own)) {
      source.give(element.bytes());
    }
    elements.clear();
    pages.forEach(source::give);
    pages.clear();
    entries = 0;
    ofLast = 0;
    isShared = false;
    sorted = null;
    lengths = null;
  }
}
