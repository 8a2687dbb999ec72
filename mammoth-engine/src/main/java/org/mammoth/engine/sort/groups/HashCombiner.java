// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.Gatherer;
import org.mammoth.engine.sort.keys.KeyOrder;

/**
 * Combines before sorting: records of byte-identical keys gather in a hash table, and when it is
 * full the job's combiner runs on each group, which may be done any number of times on any values
 * of one key. What is left is sorted at the end, or earlier when it does not shrink enough; if it
 * hardly shrinks at all the table is given up for the rest of the map.
 *
 * <p>One thread at a time.
 */
public final class HashCombiner implements Gatherer {

  private static final int DATA_SLABS = 8;
  private static final int SLOT_SLABS = 2;

  /** Of the slabs a map can have, the sorter keeps at least as many as both tables take. */
  private static final int SLABS = 2 * (DATA_SLABS + SLOT_SLABS);

  /** More records than this part left after combining: not worth it. */
  private static final double USELESS = 0.7;

  /** A table that is fuller than this after combining would soon be full again. */
  private static final double CROWDED = 0.5;

  private final KeyOrder order;
  private final int partitions;
  private final ElementSource source;
  private final GroupCombiner combiner;
  private final Outlet outlet;
  private final List<byte[]> borrowed;
  private GroupTable table;
  private GroupTable spare;
  private long emitted;
  private boolean combining;
  private boolean flushed;
  private boolean givenUp;
  private Throwable failure;

  private HashCombiner(
      KeyOrder order,
      int partitions,
      ElementSource source,
      GroupCombiner combiner,
      Outlet outlet,
      List<byte[]> borrowed) {
    this.order = order;
    this.partitions = partitions;
    this.source = source;
    this.combiner = combiner;
    this.outlet = outlet;
    this.borrowed = borrowed;
    this.table = table(0);
    this.spare = table(DATA_SLABS + SLOT_SLABS);
  }

  /**
   * A combiner on slabs of {@code source}, or null if there are too few, or they are of a size that
   * is no power of two.
   */
  public static HashCombiner open(
      KeyOrder order, int partitions, ElementSource source, GroupCombiner combiner, Outlet outlet) {
    List<byte[]> borrowed = new ArrayList<>();
    byte[] reserve = null;
    while (borrowed.size() < SLABS) {
      byte[] slab = source.poll();
      if (slab == null) {
        break;
      }
      borrowed.add(slab);
    }
    if (borrowed.size() == SLABS) {
      reserve = source.poll();
    }
    if (reserve != null) {
      source.give(reserve);
    }
    if (reserve == null || Integer.bitCount(borrowed.get(0).length) != 1) {
      borrowed.forEach(source::give);
      return null;
    }
    return new HashCombiner(order, partitions, source, combiner, outlet, borrowed);
  }

  private GroupTable table(int first) {
    int slots = first + DATA_SLABS;
    return new GroupTable(
        order,
        borrowed.subList(first, slots).toArray(new byte[0][]),
        borrowed.subList(slots, slots + SLOT_SLABS).toArray(new byte[0][]));
  }

  @Override
  public boolean addAtOnce(
      int partition, byte[] bytes, int keyAt, int keyLength, int valueAt, int valueLength) {
    return table.add(partition, bytes, keyAt, keyLength, bytes, valueAt, valueLength);
  }

  @Override
  public boolean add(
      int partition, byte[] bytes, int keyAt, int keyLength, int valueAt, int valueLength)
      throws IOException, InterruptedException {
    if (table.groups() == 0 || !table.canEverHold(bytes, keyAt, keyLength, valueLength)) {
      return false;
    }
    try {
      relieve();
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      // some of what was in the table has left it, so that it can't be combined once more
      failure = e;
      close();
      throw e;
    }
    return !givenUp && table.add(partition, bytes, keyAt, keyLength, bytes, valueAt, valueLength);
  }

  /** Whether the table was given up, and its slabs are back. */
  @Override
  public boolean isGivenUp() {
    return givenUp;
  }

  /** Whether records have left the table before the end, so that a key may come out repeatedly. */
  public boolean hasFlushed() {
    return flushed;
  }

  private void relieve() throws IOException, InterruptedException {
    long before = table.values();
    combineInto(
        (partition, key, keyAt, keyLength, value, valueAt, valueLength) -> {
          if (!spare.add(partition, key, keyAt, keyLength, value, valueAt, valueLength)) {
            flushed = true;
            outlet.sort(partition, key, keyAt, keyLength, value, valueAt, valueLength);
          }
        });
    GroupTable combined = spare;
    spare = table;
    spare.clear();
    table = combined;
    if (emitted > USELESS * before) {
      flush();
      giveUp();
    } else if (table.usedBytes() > CROWDED * table.capacityBytes()) {
      flush();
    }
  }

  /** Combines what is in the table and hands it on to be sorted; ends the table. */
  public void finish() throws IOException, InterruptedException {
    if (failure != null) {
      throw new IOException("combining failed before: " + failure, failure);
    }
    if (!givenUp) {
      combineInto(outlet);
      giveUp();
    }
  }

  private void combineInto(Outlet target) throws IOException, InterruptedException {
    int[] ends = new int[partitions];
    int[] chosen = table.byPartition(ends);
    GroupIndex index = combiner.mindsOrder() ? new GroupIndex(order, table, chosen) : null;
    emitted = 0;
    int from = 0;
    combining = true;
    for (int partition = 0; partition < partitions; partition++) {
      int to = ends[partition];
      if (to > from) {
        if (index != null) {
          index.sort(from, to);
        }
        int destination = partition;
        combiner.combine(
            table.read(chosen, from, to),
            (key, keyAt, keyLength, value, valueAt, valueLength) -> {
              emitted++;
              target.sort(destination, key, keyAt, keyLength, value, valueAt, valueLength);
            });
      }
      from = to;
    }
    combining = false;
  }

  /** Whether records come out of the combiner just now. */
  public boolean isCombining() {
    return combining;
  }

  /** Hands everything on as it is. */
  private void flush() throws IOException, InterruptedException {
    flushed = true;
    table.drainTo(outlet);
  }

  private void giveUp() {
    givenUp = true;
    close();
  }

  /** Gives the slabs back; safe to call twice. */
  public void close() {
    givenUp = true;
    borrowed.forEach(source::give);
    borrowed.clear();
    table = null;
    spare = null;
  }
}
