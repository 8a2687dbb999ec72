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
 * little.
 *
 * <p>One thread at a time.
 */
final class GroupTable {

  /** Fields of a group, before its key. */
  private static final int HASH = 0;

  private static final int PARTITION = 4;
  private static final int KEY_LENGTH = 8;
  private static final int HEAD = 12;
  private static final int TAIL = 16;
  private static final int TAIL_AT = 20;
  private static final int TAIL_END = 24;
  private static final int GROUP_BYTES = 28;

  /** Fields of a chunk, before its values. */
  private static final int NEXT = 0;

  private static final int USED_END = 4;
  private static final int CHUNK_BYTES = 8;

  private static final int FIRST_VALUES = 12;
  private static final int MOST_VALUES = 2048;
  private static final int SLOT_SHIFT = 3;

  /** Addresses are not negative. */
  private static final int MOST_BYTES = 1 << 30;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final KeyOrder order;
  private final ElementSource more;
  private final byte[][] slots;
  private final int slabBits;
  private final int slabMask;
  private final int slotMask;
  private final int slotSlabBits;
  private final int slotSlabMask;
  private final int mostGroups;

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
    this.slots = slots;
    this.more = more;
    int slabBytes = slabs[0].length;
    this.slabBits = 31 - Integer.numberOfLeadingZeros(slabBytes);
    this.slabMask = slabBytes - 1;
    int slotsPerSlab = slabBytes >> SLOT_SHIFT;
    int slotCount = slotsPerSlab * slots.length;
    this.slotSlabBits = 31 - Integer.numberOfLeadingZeros(slotsPerSlab);
    this.slotSlabMask = slotsPerSlab - 1;
    this.slotMask = slotCount - 1;
    this.mostGroups = slotCount / 2;
    clear();
  }

  /** Forgets everything. */
  void clear() {
    for (byte[] each : slots) {
      Arrays.fill(each, (byte) 0);
    }
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

  int partition(int group) {
    int address = groups[group];
    return getInt(slabs[address >>> slabBits], (address & slabMask) + PARTITION);
  }

  byte[] keyBytes(int group) {
    return slabs[groups[group] >>> slabBits];
  }

  int keyAt(int group) {
    return (groups[group] & slabMask) + GROUP_BYTES;
  }

  int keyLength(int group) {
    int address = groups[group];
    return getInt(slabs[address >>> slabBits], (address & slabMask) + KEY_LENGTH);
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
    return sizeOf(keyLength, Vints.sizeOf(valueLength) + valueLength) <= slabMask + 1
        && order.equalsItself(bytes, keyAt, keyLength);
  }

  /** Bytes of a new group whose first value needs {@code need}. */
  private static long sizeOf(int keyLength, int need) {
    return (long) GROUP_BYTES + keyLength + CHUNK_BYTES + Math.max(FIRST_VALUES, need);
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
    int hash = hash(partition, key, keyAt, keyLength);
    int slot = hash & slotMask;
    while (true) {
      byte[] slotSlab = slots[slot >>> slotSlabBits];
      int at = (slot & slotSlabMask) << SLOT_SHIFT;
      long entry = (long) LONG.get(slotSlab, at);
      if (entry == 0) {
        int group = newGroup(hash, partition, key, keyAt, keyLength, value, valueAt, valueLength);
        if (group < 0) {
          return false;
        }
        LONG.set(slotSlab, at, (long) hash << 32 | group + 1 & 0xffffffffL);
        return true;
      }
      if ((int) (entry >>> 32) == hash) {
        int group = (int) entry - 1;
        byte[] bytes = slabs[group >>> slabBits];
        int place = group & slabMask;
        if (getInt(bytes, place + KEY_LENGTH) == keyLength
            && getInt(bytes, place + PARTITION) == partition
            && Arrays.equals(
                bytes,
                place + GROUP_BYTES,
                place + GROUP_BYTES + keyLength,
                key,
                keyAt,
                keyAt + keyLength)) {
          return append(bytes, place, value, valueAt, valueLength);
        }
      }
      slot = slot + 1 & slotMask;
    }
  }

  private static int hash(int partition, byte[] bytes, int from, int length) {
    long hash = 0x9E3779B97F4A7C15L * (length + 31L * partition + 1);
    int at = from;
    int end = from + length;
    while (end - at >= 8) {
      hash = (hash ^ (long) LONG.get(bytes, at)) * 0xC2B2AE3D27D4EB4FL;
      hash ^= hash >>> 29;
      at += 8;
    }
    hash = (hash ^ rest(bytes, at, end)) * 0xC2B2AE3D27D4EB4FL;
    hash ^= hash >>> 32;
    return (int) hash;
  }

  /** The last, fewer than eight, bytes as one number. */
  private static long rest(byte[] bytes, int from, int end) {
    int count = end - from;
    if (count == 0) {
      return 0;
    }
    if (from + 8 <= bytes.length) {
      // the excess is shifted out
      return (long) LITTLE.get(bytes, from) << 64 - 8 * count;
    }
    long rest = 0;
    for (int at = end - 1; at >= from; at--) {
      rest = rest << 8 | bytes[at] & 0xff;
    }
    return rest << 64 - 8 * count;
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

  private int newGroup(
      int hash,
      int partition,
      byte[] key,
      int keyAt,
      int keyLength,
      byte[] value,
      int valueAt,
      int valueLength) {
    int need = Vints.sizeOf(valueLength) + valueLength;
    int room = Math.max(FIRST_VALUES, need);
    long size = sizeOf(keyLength, need);
    if (count >= mostGroups || size > slabMask + 1 || !order.equalsItself(key, keyAt, keyLength)) {
      return -1;
    }
    int group = allocate((int) size);
    if (group < 0) {
      return -1;
    }
    byte[] bytes = slabs[group >>> slabBits];
    int place = group & slabMask;
    int chunk = place + GROUP_BYTES + keyLength;
    INT.set(bytes, place + HASH, hash);
    INT.set(bytes, place + PARTITION, partition);
    INT.set(bytes, place + KEY_LENGTH, keyLength);
    System.arraycopy(key, keyAt, bytes, place + GROUP_BYTES, keyLength);
    int chunkAddress = group + GROUP_BYTES + keyLength;
    INT.set(bytes, place + HEAD, chunkAddress);
    INT.set(bytes, place + TAIL, chunkAddress);
    int at = Vints.write(bytes, chunk + CHUNK_BYTES, valueLength);
    System.arraycopy(value, valueAt, bytes, at, valueLength);
    INT.set(bytes, place + TAIL_AT, at + valueLength);
    INT.set(bytes, place + TAIL_END, chunk + CHUNK_BYTES + room);
    if (count == groups.length) {
      groups = Arrays.copyOf(groups, 2 * count);
    }
    groups[count++] = group;
    values++;
    return group;
  }

  private boolean append(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    int need = Vints.sizeOf(valueLength) + valueLength;
    int at = getInt(bytes, place + TAIL_AT);
    int end = getInt(bytes, place + TAIL_END);
    byte[] tail = slabs[getInt(bytes, place + TAIL) >>> slabBits];
    if (need > end - at) {
      int oldChunk = getInt(bytes, place + TAIL);
      int oldRoom = end - (oldChunk & slabMask) - CHUNK_BYTES;
      int room = Math.max(need, Math.min(MOST_VALUES, 2 * oldRoom));
      int chunk = allocate(CHUNK_BYTES + room);
      if (chunk < 0) {
        return false;
      }
      INT.set(tail, (oldChunk & slabMask) + NEXT, chunk);
      INT.set(tail, (oldChunk & slabMask) + USED_END, at);
      tail = slabs[chunk >>> slabBits];
      at = (chunk & slabMask) + CHUNK_BYTES;
      INT.set(bytes, place + TAIL, chunk);
      INT.set(bytes, place + TAIL_END, at + room);
    }
    at = Vints.write(tail, at, valueLength);
    System.arraycopy(value, valueAt, tail, at, valueLength);
    INT.set(bytes, place + TAIL_AT, at + valueLength);
    values++;
    return true;
  }

  private static int getInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
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
    return new Reader(chosen, from, to);
  }

  private final class Reader implements Groups {
    private final int[] chosen;
    private final int to;
    private int next;
    private byte[] group;
    private int place;
    private int chunk;
    private byte[] bytes;
    private int at;
    private int end;
    private int valueAt;
    private int valueLength;
    private int markedChunk;
    private int markedAt;
    private int markedValueAt;
    private int markedValueLength;

    Reader(int[] chosen, int from, int to) {
      this.chosen = chosen;
      this.next = from;
      this.to = to;
    }

    @Override
    public boolean nextGroup() {
      if (next >= to) {
        return false;
      }
      int address = groups[chosen[next++]];
      group = slabs[address >>> slabBits];
      place = address & slabMask;
      enter(getInt(group, place + HEAD));
      at = (chunk & slabMask) + CHUNK_BYTES;
      valueLength = 0;
      valueAt = at;
      mark();
      return true;
    }

    private void enter(int address) {
      chunk = address;
      bytes = slabs[address >>> slabBits];
      end =
          address == getInt(group, place + TAIL)
              ? getInt(group, place + TAIL_AT)
              : getInt(bytes, (address & slabMask) + USED_END);
    }

    @Override
    public boolean nextValue() {
      if (at >= end) {
        if (chunk == getInt(group, place + TAIL)) {
          return false;
        }
        enter(getInt(bytes, (chunk & slabMask) + NEXT));
        at = (chunk & slabMask) + CHUNK_BYTES;
      }
      valueLength = Vints.read(bytes, at);
      valueAt = at + Vints.size(bytes[at]);
      at = valueAt + valueLength;
      return true;
    }

    @Override
    public boolean hasNextValue() {
      // a chunk is only made for a value that goes into it
      return at < end || chunk != getInt(group, place + TAIL);
    }

    @Override
    public byte[] keyBytes() {
      return group;
    }

    @Override
    public int keyAt() {
      return place + GROUP_BYTES;
    }

    @Override
    public int keyLength() {
      return getInt(group, place + KEY_LENGTH);
    }

    @Override
    public byte[] valueBytes() {
      return bytes;
    }

    @Override
    public int valueAt() {
      return valueAt;
    }

    @Override
    public int valueLength() {
      return valueLength;
    }

    @Override
    public void mark() {
      markedChunk = chunk;
      markedAt = at;
      markedValueAt = valueAt;
      markedValueLength = valueLength;
    }

    @Override
    public void reset() {
      enter(markedChunk);
      at = markedAt;
      valueAt = markedValueAt;
      valueLength = markedValueLength;
    }
  }
}
