// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.Gatherer;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.Groups;
import org.mammoth.engine.sort.merge.PartitionedOutput;
import org.mammoth.engine.sort.merge.SegmentWriter;
import org.mammoth.engine.sort.spill.Spill;

/**
 * Groups before sorting, for jobs without a combiner: records of byte-identical keys gather in a
 * hash table, so that only distinct keys have to be sorted, and each is kept once. When the table
 * is full it is written as a run. Where most keys come once it is given up after the first slab.
 *
 * <p>One thread at a time.
 */
public final class HashGrouper implements Gatherer {

  /** Writes what has gathered as a run. */
  public interface Spill {
    void spill() throws IOException, InterruptedException;
  }

  private static final int SLOT_SLABS = 2;
  private static final int FIRST_SLABS = 1;

  /** With fewer values to a key than this, sorting them is cheaper. */
  private static final int WORTHWHILE = 2;

  /** A record larger than this part of a slab is sorted; it would empty the table too soon. */
  private static final int LARGE = 8;

  private final KeyOrder order;
  private final int partitions;
  private final ElementSource source;
  private final Spill spill;
  private final Outlet outlet;
  private final int largest;
  private final List<byte[]> borrowed;
  private final GroupTable table;
  private long looked;
  private boolean givenUp;

  private HashGrouper(
      KeyOrder order,
      int partitions,
      ElementSource source,
      Spill spill,
      Outlet outlet,
      List<byte[]> borrowed) {
    this.order = order;
    this.partitions = partitions;
    this.source = source;
    this.spill = spill;
    this.outlet = outlet;
    this.borrowed = borrowed;
    this.largest = borrowed.get(0).length / LARGE;
    this.table =
        new GroupTable(
            order,
            borrowed.subList(0, FIRST_SLABS).toArray(new byte[0][]),
            borrowed.subList(FIRST_SLABS, FIRST_SLABS + SLOT_SLABS).toArray(new byte[0][]),
            source);
  }

  /**
   * A grouper on slabs of {@code source}, or null if there are too few, or they are of a size that
   * is no power of two.
   *
   * @param spill called when the table is full; has to call {@link #writeTo}
   * @param outlet takes the records that have gathered when it turns out not to be worth while
   */
  public static HashGrouper open(
      KeyOrder order, int partitions, ElementSource source, Spill spill, Outlet outlet) {
    List<byte[]> borrowed = new ArrayList<>();
    // two more than it begins with: one to collect into, one to grow by
    while (borrowed.size() < FIRST_SLABS + SLOT_SLABS + 2) {
      byte[] slab = source.poll();
      if (slab == null) {
        break;
      }
      borrowed.add(slab);
    }
    boolean enough = borrowed.size() == FIRST_SLABS + SLOT_SLABS + 2;
    int keep = enough && Integer.bitCount(borrowed.get(0).length) == 1 ? borrowed.size() - 2 : 0;
    while (borrowed.size() > keep) {
      source.give(borrowed.remove(borrowed.size() - 1));
    }
    return keep == 0 ? null : new HashGrouper(order, partitions, source, spill, outlet, borrowed);
  }

  @Override
  public boolean addAtOnce(
      int partition, byte[] bytes, int keyAt, int keyLength, int valueAt, int valueLength) {
    return table.usedBytes() < looked
        && keyLength + valueLength <= largest
        && table.add(partition, bytes, keyAt, keyLength, bytes, valueAt, valueLength);
  }

  @Override
  public boolean add(
      int partition, byte[] bytes, int keyAt, int keyLength, int valueAt, int valueLength)
      throws IOException, InterruptedException {
    if (keyLength + valueLength > largest
        || !table.canEverHold(bytes, keyAt, keyLength, valueLength)) {
      return false;
    }
    if (table.usedBytes() >= looked) {
      if (!worthwhile()) {
        giveUp();
        return false;
      }
      looked = table.usedBytes() + (long) FIRST_SLABS * borrowed.get(0).length / 2;
    }
    if (table.add(partition, bytes, keyAt, keyLength, bytes, valueAt, valueLength)) {
      return true;
    }
    if (!worthwhile()) {
      giveUp();
      return false;
    }
    spill.spill();
    return table.add(partition, bytes, keyAt, keyLength, bytes, valueAt, valueLength);
  }

  /** Whether it holds records. */
  public boolean hasRecords() {
    return !givenUp && table.groups() > 0;
  }

  @Override
  public boolean isGivenUp() {
    return givenUp;
  }

  private boolean worthwhile() {
    return table.values() >= (long) WORTHWHILE * table.groups();
  }

  private void giveUp() throws IOException, InterruptedException {
    // nobody may ask for what has gathered while it leaves
    givenUp = true;
    table.drainTo(outlet);
    giveBack();
  }

  /** Writes all records, sorted, and forgets them. */
  public void writeTo(PartitionedOutput output, SegmentWriter writer) throws IOException {
    int[] ends = new int[partitions];
    int[] groups = table.byPartition(ends);
    GroupIndex index = new GroupIndex(order, table, groups);
    int from = 0;
    for (int partition = 0; partition < partitions; partition++) {
      int to = ends[partition];
      index.sort(from, to);
      writer.begin(output.begin(partition));
      Groups sorted = table.read(groups, from, to);
      while (sorted.nextGroup()) {
        writer.appendGroup(sorted);
      }
      writer.end();
      output.end(partition, writer.rawBytes(), writer.records());
      from = to;
    }
    table.clear();
    table.giveBack(FIRST_SLABS);
    looked = 0;
  }

  /** Gives the slabs back and takes no more records; safe to call twice. */
  public void close() {
    givenUp = true;
    giveBack();
  }

  private void giveBack() {
    table.giveBack(FIRST_SLABS);
    borrowed.forEach(source::give);
    borrowed.clear();
  }
}
