// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.util.Arrays;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.EntryIndex;
import org.mammoth.engine.sort.elements.PagedInts;
import org.mammoth.engine.sort.elements.PagedLongs;
import org.mammoth.engine.sort.keys.KeyHash;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.RecordForm;

/**
 * Numbers the keys of records that lie in slabs: byte-identical ones of a partition have the same
 * number. Keys stay where they are; a group knows its first record. For orders by which each key is
 * equal to itself.
 *
 * <p>One thread at a time.
 */
public final class KeyGroups {

  private static final int NONE = -1;

  private final ElementSource source;
  private final int slabBytes;
  private final int slabBits;
  private final PagedInts firsts;
  private final PagedInts partitions;
  private final PagedInts ranks;

  /** Open addressing: the key's hash above, the group and one below; 0 is free. */
  private PagedLongs slots;

  private int slotMask = -1;
  private int count;

  /**
   * No groups yet.
   *
   * @param slabBytes a power of two
   */
  KeyGroups(ElementSource source, int slabBytes) {
    this.source = source;
    this.slabBytes = slabBytes;
    this.slabBits = Integer.numberOfTrailingZeros(slabBytes);
    this.firsts = new PagedInts(source, slabBytes);
    this.partitions = new PagedInts(source, slabBytes);
    this.ranks = new PagedInts(source, slabBytes);
    this.slots = new PagedLongs(source, slabBytes);
  }

  int count() {
    return count;
  }

  /** Where a group's first record lies. */
  int first(int group) {
    return firsts.get(group);
  }

  int partition(int group) {
    return partitions.get(group);
  }

  /** Sees to room for so many more groups; false if there is no memory. */
  boolean reserve(int more) {
    long groups = (long) count + more;
    return firsts.reserve(groups)
        && partitions.reserve(groups)
        && ranks.reserve(groups)
        && reserveSlots(2 * groups);
  }

  private boolean reserveSlots(long wanted) {
    if (wanted <= slotMask + 1L) {
      return true;
    }
    long room = Math.max(slabBytes / Long.BYTES, Long.highestOneBit(wanted - 1) << 1);
    PagedLongs larger = new PagedLongs(source, slabBytes);
    if (room > 1 << 30 || !larger.reserve(room)) {
      larger.free();
      return false;
    }
    larger.clear();
    PagedLongs smaller = slots;
    int old = slotMask;
    slots = larger;
    slotMask = (int) room - 1;
    for (int i = 0; i <= old; i++) {
      long entry = smaller.get(i);
      if (entry != 0) {
        slots.set(free((int) (entry >>> Integer.SIZE)), entry);
      }
    }
    smaller.free();
    return true;
  }

  private int free(int hash) {
    int slot = hash & slotMask;
    while (slots.get(slot) != 0) {
      slot = slot + 1 & slotMask;
    }
    return slot;
  }

  /**
   * The group of a record's key, a new one if it has none.
   *
   * @param place of the record, through all slabs
   */
  int of(int partition, byte[][] slabs, int place) {
    byte[] bytes = slabs[place >>> slabBits];
    int start = place & slabBytes - 1;
    int keyAt = RecordForm.keyAt(bytes, start);
    int length = Vints.read(bytes, start);
    int hash = KeyHash.of(partition, bytes, keyAt, length);
    int found = find(hash, partition, slabs, bytes, keyAt, length);
    if (found != NONE) {
      return found;
    }
    int group = count++;
    firsts.set(group, place);
    partitions.set(group, partition);
    slots.set(free(hash), (long) hash << Integer.SIZE | group + 1);
    return group;
  }

  /**
   * Ranks the groups: lower for a lower partition and key, equal for keys that compare as equal.
   *
   * @param sorted an entry for each group, by partition and key
   */
  PagedInts rank(KeyOrder order, EntryIndex sorted, byte[][] slabs) {
    int rank = 0;
    for (int i = 0; i < count; i++) {
      if (i > 0 && !sorted.haveSameKey(order, i - 1, i)) {
        rank++;
      }
      int place = (int) sorted.place(i);
      byte[] bytes = slabs[place >>> slabBits];
      int start = place & slabBytes - 1;
      int keyAt = RecordForm.keyAt(bytes, start);
      int length = Vints.read(bytes, start);
      int partition = sorted.partition(i);
      int hash = KeyHash.of(partition, bytes, keyAt, length);
      ranks.set(find(hash, partition, slabs, bytes, keyAt, length), rank);
    }
    return ranks;
  }

  private int find(int hash, int partition, byte[][] slabs, byte[] bytes, int keyAt, int length) {
    int slot = hash & slotMask;
    while (true) {
      long entry = slots.get(slot);
      if (entry == 0) {
        return NONE;
      }
      if ((int) (entry >>> Integer.SIZE) == hash) {
        int group = (int) entry - 1;
        if (partitions.get(group) == partition && isKey(group, slabs, bytes, keyAt, length)) {
          return group;
        }
      }
      slot = slot + 1 & slotMask;
    }
  }

  private boolean isKey(int group, byte[][] slabs, byte[] bytes, int keyAt, int length) {
    int place = firsts.get(group);
    byte[] first = slabs[place >>> slabBits];
    int start = place & slabBytes - 1;
    int at = RecordForm.keyAt(first, start);
    return Vints.read(first, start) == length
        && Arrays.equals(first, at, at + length, bytes, keyAt, keyAt + length);
  }

  /** Forgets all groups and gives all memory back. */
  void free() {
    firsts.free();
    partitions.free();
    ranks.free();
    slots.free();
    slotMask = -1;
    count = 0;
  }
}
