// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.EntryIndex;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.RecordForm;

/**
 * A spill for comparators that are known to be an order, of a kind that suits its records. Blocks
 * are best while keys differ, or all records of a key are the same. Where records of one key differ
 * upstream's sort is to be run in the end, and its input is prepared for that from the beginning.
 * What waits for the first block tells, so that the choice costs next to nothing.
 *
 * <p>One thread at a time.
 */
public final class SpillChoice implements Spill {

  /** With fewer records to a key than 5/4 in the first block, blocks are cheaper than a table. */
  private static final int RECORDS_OF_A_KEY = 5;

  private static final int OF_KEYS = 4;

  private final KeyOrder order;
  private final ElementSource source;
  private final BlockSpill blocks;
  private final Supplier<GatheredSpill> gathered;
  private final Supplier<CollectedSpill> collected;

  /** Null until the first block tells. */
  private Spill chosen;

  /**
   * An empty spill.
   *
   * @param source lends slabs
   * @param blocks has no records
   * @param gathered opens a spill for keys that come again
   * @param collected opens a spill for keys whose prefixes decide
   */
  public SpillChoice(
      KeyOrder order,
      ElementSource source,
      BlockSpill blocks,
      Supplier<GatheredSpill> gathered,
      Supplier<CollectedSpill> collected) {
    this.order = order;
    this.source = source;
    this.blocks = blocks;
    this.gathered = gathered;
    this.collected = collected;
  }

  @Override
  public boolean isEmpty() {
    return current().isEmpty();
  }

  private Spill current() {
    return chosen == null ? blocks : chosen;
  }

  @Override
  public boolean add(Element element, int count) {
    if (chosen == null && blocks.fillsFirstBlock(element, count)) {
      chosen = choose();
    }
    if (chosen == null || chosen == blocks || count == element.count()) {
      return current().add(element, count);
    }
    // the caller may fill the rest of the slab with what goes elsewhere
    byte[] copy = source.poll();
    if (copy == null) {
      return false;
    }
    if (!chosen.add(element.copyOfFirst(count, copy), count)) {
      source.give(copy);
      return false;
    }
    return true;
  }

  private Spill choose() {
    List<Element> elements = blocks.firstElements();
    if (elements.size() < 2) {
      return blocks;
    }
    Look look = new Look(order, blocks.sortFirst());
    if (!look.isOrderSeen()) {
      return blocks;
    }
    if (look.prefixesDecide()) {
      CollectedSpill other = collected.get();
      return other.reserve(look.records()) ? move(elements, other) : stay(other);
    }
    if (look.records() * OF_KEYS < look.keys() * RECORDS_OF_A_KEY) {
      return blocks;
    }
    GatheredSpill other = gathered.get();
    return other.reserve((int) look.records()) ? move(elements, other) : stay(other);
  }

  private Spill stay(Spill other) {
    other.free();
    return blocks;
  }

  /** Moves elements into a spill that has reserved memory for them. */
  private Spill move(List<Element> elements, Spill other) {
    blocks.leaveElements();
    for (Element element : elements) {
      if (!other.add(element, element.count())) {
        throw new IllegalStateException("memory for " + elements.size() + " elements was reserved");
      }
    }
    return other;
  }

  @Override
  public void end() {
    if (chosen == null) {
      chosen = choose();
    }
    chosen.end();
  }

  @Override
  public PartitionCursor cursor() {
    end();
    return chosen.cursor();
  }

  @Override
  public long length(int partition) {
    return current().length(partition);
  }

  @Override
  public void free() {
    current().free();
    chosen = null;
  }

  /** What sorted records have in common with their neighbours. */
  private static final class Look {

    private final EntryIndex sorted;
    private long keys;
    private boolean prefixesDecide = true;
    private boolean orderIsSeen;

    Look(KeyOrder order, EntryIndex sorted) {
      this.sorted = sorted;
      for (int i = 0; i < sorted.count(); i++) {
        prefixesDecide &= order.decides(sorted.prefix(i));
        if (i == 0 || !sorted.haveSameKey(order, i - 1, i)) {
          keys++;
        } else if (!orderIsSeen) {
          orderIsSeen = !isFormer(i);
        }
      }
    }

    long records() {
      return sorted.count();
    }

    long keys() {
      return keys;
    }

    /** Whether keys need not be read to compare them. */
    boolean prefixesDecide() {
      return prefixesDecide;
    }

    /** Whether there are different records of one key. */
    boolean isOrderSeen() {
      return orderIsSeen;
    }

    /** Whether a record is the same as the one before it, byte by byte. */
    private boolean isFormer(int entry) {
      int former = (int) sorted.place(entry - 1);
      int place = (int) sorted.place(entry);
      byte[] formerBytes = sorted.slab(former);
      byte[] bytes = sorted.slab(place);
      int formerStart = sorted.start(former);
      int start = sorted.start(place);
      return Arrays.equals(
          formerBytes,
          formerStart,
          formerStart + RecordForm.length(formerBytes, formerStart),
          bytes,
          start,
          start + RecordForm.length(bytes, start));
    }
  }
}
