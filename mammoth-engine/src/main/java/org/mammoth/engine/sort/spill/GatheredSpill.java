// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.util.Arrays;
import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.elements.ElementSorter;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.EntryIndex;
import org.mammoth.engine.sort.elements.PagedInts;
import org.mammoth.engine.sort.elements.PagedLongs;
import org.mammoth.engine.sort.elements.ReservedSlabs;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.MergedInput;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.RecordForm;

/**
 * A spill for comparators that are known to be an order, and records whose keys come again. Records
 * wait as they were collected, and a hash table numbers their keys, so that only distinct keys are
 * compared; upstream's sort is run on their ranks.
 *
 * <p>One thread at a time.
 */
public final class GatheredSpill implements Spill {

  private final KeyOrder order;
  private final ElementSource source;
  private final ElementSorter sorter;
  private final int slabBits;
  private final int entriesPerPage;
  private final KeyGroups groups;

  /** Of each record, as they were collected. */
  private final PagedInts groupOf;

  private final PagedInts places;

  /** Rank and place of each record, in upstream's order once it has ended. */
  private final PagedLongs ranked;

  /** For sorting the groups. */
  private final ReservedSlabs pages;

  private final long[] lengths;
  private final int[] counts;
  private byte[][] slabs = new byte[0][];
  private int count;
  private boolean hasEnded;

  /**
   * An empty spill.
   *
   * @param slabBytes of the slabs that the source lends, a power of two
   */
  public GatheredSpill(
      KeyOrder order, ElementSource source, int slabBytes, ElementSorter sorter, int partitions) {
    this.order = order;
    this.source = source;
    this.sorter = sorter;
    this.slabBits = Integer.numberOfTrailingZeros(slabBytes);
    this.entriesPerPage = slabBytes / EntryIndex.ENTRY_BYTES;
    this.groups = new KeyGroups(source, slabBytes);
    this.groupOf = new PagedInts(source, slabBytes);
    this.places = new PagedInts(source, slabBytes);
    this.ranked = new PagedLongs(source, slabBytes);
    this.pages = new ReservedSlabs(source);
    this.lengths = new long[partitions];
    this.counts = new int[partitions];
    Arrays.fill(lengths, MergedInput.MARK_BYTES);
  }

  @Override
  public boolean isEmpty() {
    return count == 0;
  }

  /** Only whole elements. */
  @Override
  public boolean add(Element element, int more) {
    if (slabs.length == Integer.MAX_VALUE >>> slabBits || !reserve(more)) {
      if (isEmpty()) {
        free();
      }
      return false;
    }
    int slab = slabs.length;
    byte[] bytes = element.bytes();
    slabs = Arrays.copyOf(slabs, slab + 1);
    slabs[slab] = bytes;
    int distance = slab << slabBits;
    for (int i = 0; i < more; i++) {
      long entry = element.index().place(i);
      int partition = (int) (entry >>> Integer.SIZE);
      int place = distance + (int) entry;
      groupOf.set(count, groups.of(partition, slabs, place));
      places.set(count, place);
      counts[partition]++;
      lengths[partition] += RecordForm.length(bytes, (int) entry);
      count++;
    }
    return true;
  }

  /** Sees to the memory for so many more records; false if there is not enough. */
  boolean reserve(int more) {
    long records = (long) count + more;
    long mostGroups = (long) groups.count() + more;
    return groups.reserve(more)
        && groupOf.reserve(records)
        && places.reserve(records)
        && ranked.reserve(records)
        && pages.reserve((mostGroups + entriesPerPage - 1) / entriesPerPage);
  }

  @Override
  public void end() {
    if (hasEnded || isEmpty()) {
      return;
    }
    hasEnded = true;
    PagedInts ranks = rank();
    for (int i = 0; i < count; i++) {
      // upstream's buffer has the record that came last at its front
      long rank = ranks.get(groupOf.get(i));
      ranked.set(count - 1 - i, rank << Integer.SIZE | places.get(i));
    }
    RankSort.sort(ranked, count);
    groups.free();
    groupOf.free();
    places.free();
    pages.free();
  }

  /** The rank of each group. */
  private PagedInts rank() {
    EntryIndex index = new EntryIndex(pages.arrays(), slabs, slabBits);
    for (int group = 0; group < groups.count(); group++) {
      int place = groups.first(group);
      byte[] bytes = index.slab(place);
      int start = index.start(place);
      long prefix = order.prefix(bytes, RecordForm.keyAt(bytes, start), Vints.read(bytes, start));
      index.add(prefix, groups.partition(group), place);
    }
    sorter.sort(index);
    return groups.rank(order, index, slabs);
  }

  @Override
  public PartitionCursor cursor() {
    end();
    return new RankedCursor(order, slabs, slabBits, ranked, counts);
  }

  @Override
  public long length(int partition) {
    return lengths[partition];
  }

  @Override
  public void free() {
    for (byte[] slab : slabs) {
      source.give(slab);
    }
    groups.free();
    groupOf.free();
    places.free();
    ranked.free();
    pages.free();
    slabs = new byte[0][];
    count = 0;
    hasEnded = false;
    Arrays.fill(counts, 0);
    Arrays.fill(lengths, MergedInput.MARK_BYTES);
  }
}
