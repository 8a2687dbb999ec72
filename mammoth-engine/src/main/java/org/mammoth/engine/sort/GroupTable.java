package org.mammoth.engine.sort;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A hash table of groups: values by byte-identical key and partition. Everything lies in slabs that
 * are borrowed; an address is a slab's number and a place in it. A value that comes several times
 * in a row is kept once, with how often it came: counting jobs emit nothing but ones. A short one
 * stays in its group as long as it is the last, so that a group of such a job is little more than
 * its key and most groups stay in the processor's cache. Other values lie in chunks that double in
 * size, so that frequent keys are read and written in sequence and rare ones waste little.
 *
 * <p>One thread at a time.
 */
final class GroupTable {

  /** Fields of a group, before its key. The first is its chain's address and 1, 0 without one. */
  static final int CHAIN = 0;

  /** How many more times the last value came. */
  static final int REPEATS = 4;

  /** Where the last value's bytes end, if they are few. */
  static final int LAST_END = 16;

  private static final int LAST = LAST_END - ShortBytes.MOST;

  /** The key's length, and in the lowest bits that of the last value or {@link #NOT_SHORT}. */
  private static final int LENGTHS = 16;

  private static final int PARTITION = 20;
  static final int GROUP_BYTES = 24;

  private static final int LAST_BITS = 4;
  static final int NOT_SHORT = (1 << LAST_BITS) - 1;

  /** Fields of a chain, before its first chunk: its last chunk, and the free place in that. */
  static final int TAIL = 0;

  static final int TAIL_AT = 4;
  private static final int TAIL_END = 8;
  static final int CHAIN_BYTES = 12;

  /** Fields of a chunk, before its values. */
  static final int NEXT = 0;

  static final int USED_END = 4;
  static final int CHUNK_BYTES = 8;

  /**
   * In a chunk a value's head is twice its length as a vint, plus this if how many more times it
   * came follows the value.
   */
  static final int REPEATED = 1;

  private static final int FIRST_VALUES = 24;
  private static final int MOST_VALUES = 2048;

  /** Lengths double in a value's head. */
  private static final int MOST_VALUE_BYTES = Integer.MAX_VALUE / 2;

  private static final int MOST_KEY_BYTES = Integer.MAX_VALUE >> LAST_BITS;

  /** Addresses are not negative. */
  private static final int MOST_BYTES = 1 << 30;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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

  /** Length of the key of the group at {@code place}. */
  static int keyLength(byte[] bytes, int place) {
    return get(bytes, place + LENGTHS) >>> LAST_BITS;
  }

  /** Length of the last value of the group at {@code place}, or {@link #NOT_SHORT}. */
  static int lastLength(byte[] bytes, int place) {
    return get(bytes, place + LENGTHS) & NOT_SHORT;
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
    return keyLength(slab(groups[group]), place(groups[group]));
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
        && sizeOf(keyLength, valueLength) <= slabMask + 1
        && keyLength <= MOST_KEY_BYTES
        && order.equalsItself(bytes, keyAt, keyLength);
  }

  /** Bytes that a value takes in a chunk, with its head and the count of its repeats. */
  private static long room(int valueLength) {
    return (long) Vints.sizeOf(2 * valueLength) + valueLength + Vints.MAX_BYTES;
  }

  /** Bytes of a new group with its first value. */
  private static long sizeOf(int keyLength, int valueLength) {
    long chain = valueLength <= ShortBytes.MOST ? 0 : chainBytes(room(valueLength));
    return GROUP_BYTES + keyLength + chain;
  }

  /** Bytes of a new chain that has room for {@code need} bytes of values. */
  private static long chainBytes(long need) {
    return CHAIN_BYTES + CHUNK_BYTES + Math.max(FIRST_VALUES, need);
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
        if (keyLength(bytes, place) == keyLength
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

  /** Counts a value that is the group's last one again; false if it is another, or a long one. */
  private boolean repeat(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    int repeats = get(bytes, place + REPEATS);
    if (valueLength > ShortBytes.MOST
        || valueLength != lastLength(bytes, place)
        || ShortBytes.of(value, valueAt, valueLength) != (long) LONG.get(bytes, place + LAST)
        || repeats == Integer.MAX_VALUE) {
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
    int group = allocate((int) sizeOf(keyLength, valueLength));
    if (group < 0) {
      return false;
    }
    byte[] bytes = slab(group);
    int place = place(group);
    INT.set(bytes, place + CHAIN, 0);
    INT.set(bytes, place + LENGTHS, keyLength << LAST_BITS | NOT_SHORT);
    INT.set(bytes, place + PARTITION, partition);
    System.arraycopy(key, keyAt, bytes, place + GROUP_BYTES, keyLength);
    if (valueLength <= ShortBytes.MOST) {
      setLast(bytes, place, value, valueAt, valueLength);
    } else {
      int need = (int) room(valueLength);
      int chain = group + GROUP_BYTES + keyLength;
      begin(bytes, place, chain, need);
      chain(chain, value, valueAt, valueLength, 0);
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
    if (valueLength > MOST_VALUE_BYTES) {
      return false;
    }
    boolean stays = valueLength <= ShortBytes.MOST;
    int lastLength = lastLength(bytes, place);
    boolean goes = lastLength != NOT_SHORT;
    long need = (goes ? room(lastLength) : 0) + (stays ? 0 : room(valueLength));
    if (!makeRoom(bytes, place, need)) {
      return false;
    }
    int chain = get(bytes, place + CHAIN) - 1;
    if (goes) {
      int lastAt = place + LAST_END - lastLength;
      chain(chain, bytes, lastAt, lastLength, get(bytes, place + REPEATS));
    }
    if (stays) {
      setLast(bytes, place, value, valueAt, valueLength);
    } else {
      INT.set(bytes, place + LENGTHS, get(bytes, place + LENGTHS) | NOT_SHORT);
      chain(chain, value, valueAt, valueLength, 0);
    }
    values++;
    return true;
  }

  private void setLast(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    LONG.set(bytes, place + LAST, ShortBytes.of(value, valueAt, valueLength));
    INT.set(bytes, place + LENGTHS, get(bytes, place + LENGTHS) & ~NOT_SHORT | valueLength);
    INT.set(bytes, place + REPEATS, 0);
  }

  /** Sees to it that a group's chain has so many bytes free; false, and nothing changed, if not. */
  private boolean makeRoom(byte[] bytes, int place, long need) {
    int chain = get(bytes, place + CHAIN) - 1;
    if (chain < 0) {
      if (need == 0) {
        return true;
      }
      long size = chainBytes(need);
      int begun = size > slabMask + 1 ? -1 : allocate((int) size);
      if (begun >= 0) {
        begin(bytes, place, begun, (int) need);
      }
      return begun >= 0;
    }
    byte[] head = slab(chain);
    int headAt = place(chain);
    int at = get(head, headAt + TAIL_AT);
    int end = get(head, headAt + TAIL_END);
    if (need <= end - at) {
      return true;
    }
    int tail = get(head, headAt + TAIL);
    int oldRoom = end - place(tail) - CHUNK_BYTES;
    long room = Math.max(need, Math.min(MOST_VALUES, 2 * oldRoom));
    int next = room > slabMask ? -1 : allocate(CHUNK_BYTES + (int) room);
    if (next < 0) {
      return false;
    }
    INT.set(slab(tail), place(tail) + NEXT, next);
    INT.set(slab(tail), place(tail) + USED_END, at);
    setTail(head, headAt, next, (int) room);
    return true;
  }

  /** Begins the chain of the group at {@code place}, which has room for {@code need} bytes. */
  private void begin(byte[] bytes, int place, int chain, int need) {
    INT.set(bytes, place + CHAIN, chain + 1);
    setTail(slab(chain), place(chain), chain + CHAIN_BYTES, Math.max(FIRST_VALUES, need));
  }

  private void setTail(byte[] head, int headAt, int chunk, int room) {
    int at = place(chunk) + CHUNK_BYTES;
    INT.set(head, headAt + TAIL, chunk);
    INT.set(head, headAt + TAIL_AT, at);
    INT.set(head, headAt + TAIL_END, at + room);
  }

  /** Adds a value to a chain's end, where there is room for it. */
  private void chain(int chain, byte[] value, int valueAt, int valueLength, int repeats) {
    byte[] head = slab(chain);
    int headAt = place(chain);
    byte[] tail = slab(get(head, headAt + TAIL));
    int flag = repeats == 0 ? 0 : REPEATED;
    int at = Vints.write(tail, get(head, headAt + TAIL_AT), 2 * valueLength | flag);
    System.arraycopy(value, valueAt, tail, at, valueLength);
    at += valueLength;
    if (repeats != 0) {
      at = Vints.write(tail, at, repeats);
    }
    INT.set(head, headAt + TAIL_AT, at);
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
