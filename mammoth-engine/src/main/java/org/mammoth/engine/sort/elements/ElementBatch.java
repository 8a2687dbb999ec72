// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.util.ArrayList;
import java.util.List;

/**
 * Full elements that are sorted together: their entries gather in one index of a slab's size, which
 * the processor's cache holds. The larger such a batch, the fewer blocks there are to merge, and
 * merging many waits for memory. One thread at a time.
 */
public final class ElementBatch {

  private final ElementSource source;
  private final int slabBits;
  private final int mostEntries;
  private final ElementSorter sorter;
  private final SortedBlocks blocks;
  private final List<Element> elements = new ArrayList<>();
  private byte[] indexSlab;
  private int entries;
  private long size;
  private int largest;

  /**
   * An empty batch.
   *
   * @param blocks where sorted records are moved to
   */
  public ElementBatch(
      ElementSource source, int slabBytes, ElementSorter sorter, SortedBlocks blocks) {
    this.source = source;
    this.slabBits = Integer.numberOfTrailingZeros(slabBytes);
    // places are counted by bits: slabs of other sizes are sorted one by one
    this.mostEntries = slabBytes == 1 << slabBits ? slabBytes / EntryIndex.ENTRY_BYTES : 0;
    this.sorter = sorter;
    this.blocks = blocks;
  }

  public boolean isEmpty() {
    return elements.isEmpty();
  }

  /**
   * Takes an element over and reserves the memory for sorting it.
   *
   * @return false if the batch has to be settled: there was not enough memory, or one more element
   *     like this would not fit
   */
  public boolean add(Element element) {
    elements.add(element);
    entries += element.count();
    size += element.end();
    largest = Math.max(largest, element.largest());
    if (elements.size() > 1 && indexSlab == null) {
      indexSlab = source.poll();
      if (indexSlab == null) {
        return false;
      }
    }
    return blocks.reserve(size, largest) && entries + element.count() <= mostEntries;
  }

  /**
   * Sorts the elements and moves their records into one block, or each element's into its own when
   * there is less memory; ends the batch.
   *
   * @param unmoved gets the sorted elements for whose records there was no room
   */
  public void settle(List<Element> unmoved) {
    if (indexSlab != null && entries <= mostEntries && blocks.reserve(size, largest)) {
      sortTogether();
    }
    while (!elements.isEmpty()) {
      Element element = elements.get(elements.size() - 1);
      sorter.sort(element.index());
      elements.remove(elements.size() - 1);
      if (blocks.reserve(element.end(), element.largest())) {
        blocks.add(element.index());
        source.give(element.bytes());
      } else {
        unmoved.add(element);
      }
    }
    forget();
  }

  private void sortTogether() {
    byte[][] slabs = new byte[elements.size()][];
    EntryIndex index = new EntryIndex(new byte[][] {indexSlab}, slabs, slabBits);
    for (int i = 0; i < slabs.length; i++) {
      slabs[i] = elements.get(i).bytes();
    }
    sorter.sort(elements, elements.get(slabs.length - 1).count(), index);
    blocks.add(index);
    elements.clear();
    for (byte[] slab : slabs) {
      source.give(slab);
    }
  }

  /** Gives the elements back, whatever they hold. */
  public void drop() {
    for (Element element : elements) {
      source.give(element.bytes());
    }
    forget();
  }

  private void forget() {
    if (indexSlab != null) {
      source.give(indexSlab);
      indexSlab = null;
    }
    blocks.giveBackReserved();
    elements.clear();
    entries = 0;
    size = 0;
    largest = 0;
  }
}
