// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.io.IOException;
import java.util.Arrays;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.keys.KeyHash;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.ShortBytes;
import org.mammoth.engine.sort.merge.Groups;

/**
 * A hash table of groups: values by byte-identical key and partition. A value that comes several
 * times in a row is kept once, with how often it came: counting jobs emit nothing but ones. A short
 * one stays in its group as long as it is the last, so that a group of such a job is little more
 * than its key; other values are in the group's chain.
 *
 * <p>One thread at a time.
 */
public final class GroupTable {

  private final KeyOrder order;
  private final GroupSpace space;
  private final ValueChains chains;
  private final GroupSlots slots;

  /** Addresses of the groups in the order they came. */
  private int[] groups = new int[1024];

  private int count;
  private long values;

  /**
   * An empty table of a size that stays.
   *
   * @param slabs of equal length, a power of two; hold groups and values
   * @param slots of the same length, a power of two of them; hold the hash slots
   */
  GroupTable(KeyOrder order, byte[][] slabs, byte[][] slots) {
    this(order, slabs, slots, null);
  }

  /** An empty table that takes more slabs from {@code more}, while there are any. */
  GroupTable(KeyOrder order, byte[][] slabs, byte[][] slots, ElementSource more) {
    this.order = order;
    this.space = new GroupSpace(slabs, more);
    this.chains = new ValueChains(space);
    this.slots = new GroupSlots(slots);
  }

  /** Forgets everything. */
  void clear() {
    slots.clear();
    space.clear();
    count = 0;
    values = 0;
  }

  int groups() {
    return count;
  }

  /** Values of all groups. */
  long values() {
    return values;
  }

  /** Bytes of slabs in use. */
  long usedBytes() {
    return space.usedBytes();
  }

  long capacityBytes() {
    return space.capacityBytes();
  }

  /** Gives back the slabs it took beyond its first ones; it must be empty. */
  void giveBack(int first) {
    space.giveBack(first);
  }

  int partition(int group) {
    return GroupHead.partition(keyBytes(group), space.place(groups[group]));
  }

  byte[] keyBytes(int group) {
    return space.slab(groups[group]);
  }

  int keyAt(int group) {
    return space.place(groups[group]) + GroupHead.BYTES;
  }

  int keyLength(int group) {
    return GroupHead.keyLength(keyBytes(group), space.place(groups[group]));
  }

  /**
   * Numbers of the groups, those of one partition together.
   *
   * @param ends set to the end of each partition's groups; one place for each partition, all 0
   */
  int[] byPartition(int[] ends) {
    for (int group = 0; group < count; group++) {
      ends[partition(group)]++;
    }
    int[] next = new int[ends.length];
    int sum = 0;
    for (int partition = 0; partition < ends.length; partition++) {
      next[partition] = sum;
      sum += ends[partition];
      ends[partition] = sum;
    }
    int[] chosen = new int[count];
    for (int group = 0; group < count; group++) {
      chosen[next[partition(group)]++] = group;
    }
    return chosen;
  }

  /**
   * Whether an empty table would take a record: if there was room, and if the key is equal to
   * itself, which some comparators deny of some keys and then sort and group them one by one.
   */
  boolean canEverHold(byte[] bytes, int keyAt, int keyLength, int valueLength) {
    return valueLength <= ValueChains.MOST_VALUE_BYTES
        && space.canEverHold(sizeOf(keyLength, valueLength))
        && keyLength <= GroupHead.MOST_KEY_BYTES
        && order.equalsItself(bytes, keyAt, keyLength);
  }

  /** Bytes of a new group with its first value. */
  private static long sizeOf(int keyLength, int valueLength) {
    boolean stays = valueLength <= ShortBytes.MOST;
    long chain = stays ? 0 : ValueChains.sizeOf(ValueChains.room(valueLength));
    return GroupHead.BYTES + keyLength + chain;
  }

  /**
   * Adds a value to the group of a key.
   *
   * @return false, and nothing changed, if there is no room
   */
  boolean add(
      int partition,
      byte[] key,
      int keyAt,
      int keyLength,
      byte[] value,
      int valueAt,
      int valueLength) {
    int hash = KeyHash.of(partition, key, keyAt, keyLength);
    int slot = slots.first(hash);
    while (true) {
      long entry = slots.entry(slot);
      if (entry == 0) {
        return addGroup(hash, partition, key, keyAt, keyLength, value, valueAt, valueLength);
      }
      if (GroupSlots.matches(entry, hash)) {
        int group = GroupSlots.group(entry);
        byte[] bytes = space.slab(group);
        int place = space.place(group);
        if (isOf(bytes, place, partition, key, keyAt, keyLength)) {
          if (!GroupHead.repeat(bytes, place, value, valueAt, valueLength)
              && !append(bytes, place, value, valueAt, valueLength)) {
            return false;
          }
          values++;
          return true;
        }
      }
      slot = slots.next(slot);
    }
  }

  private static boolean isOf(
      byte[] bytes, int place, int partition, byte[] key, int keyAt, int keyLength) {
    int from = place + GroupHead.BYTES;
    return GroupHead.keyLength(bytes, place) == keyLength
        && GroupHead.partition(bytes, place) == partition
        && Arrays.equals(bytes, from, from + keyLength, key, keyAt, keyAt + keyLength);
  }

  private boolean addGroup(
      int hash,
      int partition,
      byte[] key,
      int keyAt,
      int keyLength,
      byte[] value,
      int valueAt,
      int valueLength) {
    if (!canEverHold(key, keyAt, keyLength, valueLength) || count >= slots.room() && !moreSlots()) {
      return false;
    }
    int group = space.allocate(sizeOf(keyLength, valueLength));
    if (group < 0) {
      return false;
    }
    byte[] bytes = space.slab(group);
    int place = space.place(group);
    GroupHead.write(bytes, place, partition, keyLength);
    System.arraycopy(key, keyAt, bytes, place + GroupHead.BYTES, keyLength);
    if (valueLength <= ShortBytes.MOST) {
      GroupHead.setLast(bytes, place, value, valueAt, valueLength);
    } else {
      int chain = group + GroupHead.BYTES + keyLength;
      chains.begin(chain, (int) ValueChains.room(valueLength));
      GroupHead.setChain(bytes, place, chain);
      chains.add(chain, value, valueAt, valueLength, 0);
    }
    values++;
    if (count == groups.length) {
      groups = Arrays.copyOf(groups, 2 * count);
    }
    groups[count++] = group;
    enter(hash, group);
    return true;
  }

  private void enter(int hash, int group) {
    int slot = slots.first(hash);
    while (slots.entry(slot) != 0) {
      slot = slots.next(slot);
    }
    slots.enter(slot, hash, group);
  }

  private boolean moreSlots() {
    if (!slots.grow()) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      enter(KeyHash.of(partition(i), keyBytes(i), keyAt(i), keyLength(i)), groups[i]);
    }
    return true;
  }

  /** Adds a value that is not a repeated one; a short last one before it goes to the chain. */
  private boolean append(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    if (valueLength > ValueChains.MOST_VALUE_BYTES) {
      return false;
    }
    boolean stays = valueLength <= ShortBytes.MOST;
    int lastLength = GroupHead.lastLength(bytes, place);
    boolean goes = lastLength != GroupHead.NOT_SHORT;
    long need =
        (goes ? ValueChains.room(lastLength) : 0) + (stays ? 0 : ValueChains.room(valueLength));
    if (!makeRoom(bytes, place, need)) {
      return false;
    }
    int chain = GroupHead.chain(bytes, place);
    if (goes) {
      int repeats = GroupHead.repeats(bytes, place);
      chains.add(chain, bytes, GroupHead.lastAt(place, lastLength), lastLength, repeats);
    }
    if (stays) {
      GroupHead.setLast(bytes, place, value, valueAt, valueLength);
    } else {
      GroupHead.clearLast(bytes, place);
      chains.add(chain, value, valueAt, valueLength, 0);
    }
    return true;
  }

  /** Sees to it that a group's chain has so many bytes free; false, and nothing changed, if not. */
  private boolean makeRoom(byte[] bytes, int place, long need) {
    int chain = GroupHead.chain(bytes, place);
    if (need == 0 || chain >= 0) {
      return need == 0 || chains.makeRoom(chain, need);
    }
    int begun = space.allocate(ValueChains.sizeOf(need));
    if (begun < 0) {
      return false;
    }
    chains.begin(begun, (int) need);
    GroupHead.setChain(bytes, place, begun);
    return true;
  }

  /** Hands all records on as they are and forgets them. */
  void drainTo(Outlet outlet) throws IOException, InterruptedException {
    int[] all = new int[1];
    for (int group = 0; group < count; group++) {
      all[0] = group;
      int partition = partition(group);
      Groups one = read(all, 0, 1);
      one.nextGroup();
      while (one.nextValue()) {
        outlet.sort(
            partition,
            one.keyBytes(),
            one.keyAt(),
            one.keyLength(),
            one.valueBytes(),
            one.valueAt(),
            one.valueLength());
      }
    }
    clear();
  }

  /**
   * Goes through the groups whose numbers stand in {@code chosen}.
   *
   * @param from the first, inclusive
   * @param to the last, exclusive
   */
  Groups read(int[] chosen, int from, int to) {
    return new GroupReader(space, chains, groups, chosen, from, to);
  }
}
