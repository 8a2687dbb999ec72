package org.mammoth.engine.sort;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A hash table of groups: values by byte-identical key and partition. Everything lies in slabs that
 * are borrowed; an address is a slab's number and a place in it. A group's values lie in chunks
 * that double in size, so that frequent keys are read and written in sequence and rare ones waste
 * little. A value that comes several times in a row is kept once, with how often it came: counting
 * jobs emit nothing but ones.
 *
 * <p>One thread at a time.
 */
final class GroupTable {

  /** Fields of a group, before its key; its first chunk follows the key. */
  private static final int HASH = 0;

  private static final int PARTITION = 4;
  static final int KEY_LENGTH = 8;
  static final int TAIL = 12;
  static final int TAIL_AT = 16;
  private static final int TAIL_END = 20;

  /** Where in its tail chunk the last value begins, and how many more times it came. */
  static final int LAST_AT = 24;

  static final int REPEATS = 28;
  static final int GROUP_BYTES = 32;

  /** Fields of a chunk, before its values. */
  static final int NEXT = 0;

  static final int USED_END = 4;
  static final int CHUNK_BYTES = 8;

  /**
   * A value's head is twice its length as a vint, plus this if how many more times it came follows
   * the value. Of the last value the group knows that.
   */
  static final int REPEATED = 1;

  private static final int FIRST_VALUES = 12;
  private static final int MOST_VALUES = 2048;

  /** Lengths double in a value's head. */
  private static final int MOST_VALUE_BYTES = Integer.MAX_VALUE / 2;

  /** Addresses are not negative. */
  private static final int MOST_BYTES = 1 << 30;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final KeyOrder order;
  private final ElementSource more;
  private final GroupSlots slots;
  private final int slabBits;
  private final int slabMask;

  /** Addresses of the groups in the order they came. */
  private int[] groups = new int[1024];

  private byte[][] slabs;

  /** Slabs there are; {@link #slabs} may have room for more. */
  private int slabCount;

  private int count;
  private long values;
  private int slab;
  private int top;

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
    this.slabs = slabs;
    this.slabCount = slabs.length;
    this.slots = new GroupSlots(slots);
    this.more = more;
    int slabBytes = slabs[0].length;
    this.slabBits = 31 - Integer.numberOfLeadingZeros(slabBytes);
    this.slabMask = slabBytes - 1;
  }

  /** Forgets everything. */
  void clear() {
    slots.clear();
    count = 0;
    values = 0;
    slab = 0;
    top = 0;
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
    return ((long) slab << slabBits) + top;
  }

  long capacityBytes() {
    return (long) slabCount << slabBits;
  }

  /** Gives back the slabs it took beyond its first ones; it must be empty. */
  void giveBack(int first) {
    while (slabCount > first) {
      more.give(slabs[--slabCount]);
      slabs[slabCount] = null;
    }
  }

  int address(int group) {
    return groups[group];
  }

  byte[] slab(int address) {
    return slabs[address >>> slabBits];
  }

  int place(int address) {
    return address & slabMask;
  }

  static int get(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  int partition(int group) {
    return get(slab(groups[group]), place(groups[group]) + PARTITION);
  }

  byte[] keyBytes(int group) {
    return slab(groups[group]);
  }

  int keyAt(int group) {
    return place(groups[group]) + GROUP_BYTES;
  }

  int keyLength(int group) {
    return get(slab(groups[group]), place(groups[group]) + KEY_LENGTH);
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
    return valueLength <= MOST_VALUE_BYTES
        && sizeOf(keyLength, room(valueLength)) <= slabMask + 1
        && order.equalsItself(bytes, keyAt, keyLength);
  }

  /** Bytes that a value takes with its head and the count of its repeats. */
  private static long room(int valueLength) {
    return (long) Vints.sizeOf(2 * valueLength) + valueLength + Vints.MAX_BYTES;
  }

  /** Bytes of a new group whose first value needs {@code need}. */
  private static long sizeOf(int keyLength, long need) {
    return GROUP_BYTES + keyLength + CHUNK_BYTES + Math.max(FIRST_VALUES, need);
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
        byte[] bytes = slab(group);
        int place = place(group);
        if (get(bytes, place + KEY_LENGTH) == keyLength
            && get(bytes, place + PARTITION) == partition
            && Arrays.equals(
                bytes,
                place + GROUP_BYTES,
                place + GROUP_BYTES + keyLength,
                key,
                keyAt,
                keyAt + keyLength)) {
          return repeat(bytes, place, value, valueAt, valueLength)
              || append(bytes, place, value, valueAt, valueLength);
        }
      }
      slot = slots.next(slot);
    }
  }

  /** Counts a value that is the group's last one again; false if it is another. */
  private boolean repeat(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    byte[] tail = slab(get(bytes, place + TAIL));
    int lastAt = get(bytes, place + LAST_AT);
    int from = lastAt + Vints.size(tail[lastAt]);
    int repeats = get(bytes, place + REPEATS);
    if (Vints.read(tail, lastAt) != 2 * valueLength
        || repeats == Integer.MAX_VALUE
        || !Arrays.equals(tail, from, from + valueLength, value, valueAt, valueAt + valueLength)) {
      return false;
    }
    INT.set(bytes, place + REPEATS, repeats + 1);
    values++;
    return true;
  }

  /** A place for {@code size} bytes, or -1. */
  private int allocate(int size) {
    if (size > slabMask + 1 - top) {
      if (size > slabMask + 1 || slab + 1 == slabCount && !takeSlab()) {
        return -1;
      }
      slab++;
      top = 0;
    }
    int address = slab << slabBits | top;
    top += size;
    return address;
  }

  private boolean takeSlab() {
    if (more == null || slabCount << slabBits >= MOST_BYTES) {
      return false;
    }
    byte[] taken = more.poll();
    if (taken == null) {
      return false;
    }
    if (slabCount == slabs.length) {
      slabs = Arrays.copyOf(slabs, 2 * slabCount);
    }
    slabs[slabCount++] = taken;
    return true;
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
    int need = (int) room(valueLength);
    int group = allocate((int) sizeOf(keyLength, need));
    if (group < 0) {
      return false;
    }
    byte[] bytes = slab(group);
    int place = place(group);
    INT.set(bytes, place + HASH, hash);
    INT.set(bytes, place + PARTITION, partition);
    INT.set(bytes, place + KEY_LENGTH, keyLength);
    System.arraycopy(key, keyAt, bytes, place + GROUP_BYTES, keyLength);
    INT.set(bytes, place + TAIL, group + GROUP_BYTES + keyLength);
    int at = place + GROUP_BYTES + keyLength + CHUNK_BYTES;
    INT.set(bytes, place + TAIL_END, at + Math.max(FIRST_VALUES, need));
    write(bytes, place, bytes, at, value, valueAt, valueLength);
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
      enter(get(slab(groups[i]), place(groups[i]) + HASH), groups[i]);
    }
    return true;
  }

  private boolean append(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    if (valueLength > MOST_VALUE_BYTES) {
      return false;
    }
    long need = room(valueLength);
    int chunk = get(bytes, place + TAIL);
    byte[] tail = slab(chunk);
    int lastAt = get(bytes, place + LAST_AT);
    int repeats = get(bytes, place + REPEATS);
    int at = get(bytes, place + TAIL_AT);
    int end = get(bytes, place + TAIL_END);
    int usedEnd = repeats == 0 ? at : at + Vints.sizeOf(repeats);
    byte[] target = tail;
    int from = usedEnd;
    if (need > end - usedEnd) {
      int oldRoom = end - place(chunk) - CHUNK_BYTES;
      long room = Math.max(need, Math.min(MOST_VALUES, 2 * oldRoom));
      int next = room > slabMask ? -1 : allocate(CHUNK_BYTES + (int) room);
      if (next < 0) {
        return false;
      }
      INT.set(tail, place(chunk) + NEXT, next);
      INT.set(tail, place(chunk) + USED_END, usedEnd);
      target = slab(next);
      from = place(next) + CHUNK_BYTES;
      INT.set(bytes, place + TAIL, next);
      INT.set(bytes, place + TAIL_END, from + (int) room);
    }
    if (repeats != 0) {
      // the lowest bit of a vint is in its last byte
      tail[lastAt + Vints.size(tail[lastAt]) - 1] |= REPEATED;
      Vints.write(tail, at, repeats);
    }
    write(bytes, place, target, from, value, valueAt, valueLength);
    return true;
  }

  /** Writes a group's new last value; there is room for it. */
  private void write(
      byte[] bytes, int place, byte[] tail, int from, byte[] value, int valueAt, int valueLength) {
    int at = Vints.write(tail, from, 2 * valueLength);
    System.arraycopy(value, valueAt, tail, at, valueLength);
    INT.set(bytes, place + LAST_AT, from);
    INT.set(bytes, place + REPEATS, 0);
    INT.set(bytes, place + TAIL_AT, at + valueLength);
    values++;
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
    return new GroupReader(this, chosen, from, to);
  }
}
