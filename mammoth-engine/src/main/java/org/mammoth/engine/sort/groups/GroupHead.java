// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.mammoth.engine.sort.keys.ShortBytes;

/**
 * What stands before a group's key: its partition, the key's length, the last value if that is
 * short with how many more times it came, and where the values before that are. Few bytes, so that
 * most groups of a counting job stay in the processor's cache. Stateless; a head is told by its
 * slab and its place in it.
 */
public final class GroupHead {

  static final int BYTES = 24;

  static final int MOST_KEY_BYTES = Integer.MAX_VALUE >> GroupHead.LAST_BITS;

  /** Length of a last value that is in the chain, as it is longer than {@link ShortBytes#MOST}. */
  static final int NOT_SHORT = (1 << GroupHead.LAST_BITS) - 1;

  /** The chain's address and 1, 0 without one. */
  private static final int CHAIN = 0;

  private static final int REPEATS = 4;

  /** Short values end where the next field begins. */
  private static final int LAST_END = 16;

  private static final int LAST = LAST_END - ShortBytes.MOST;

  /** The key's length, and in the lowest bits that of the last value. */
  private static final int LENGTHS = 16;

  private static final int LAST_BITS = 4;
  private static final int PARTITION = 20;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private GroupHead() {}

  /** Writes the head of a group without values. */
  static void write(byte[] bytes, int place, int partition, int keyLength) {
    GroupSpace.set(bytes, place + CHAIN, 0);
    GroupSpace.set(bytes, place + LENGTHS, keyLength << LAST_BITS | NOT_SHORT);
    GroupSpace.set(bytes, place + PARTITION, partition);
  }

  static int partition(byte[] bytes, int place) {
    return GroupSpace.get(bytes, place + PARTITION);
  }

  static int keyLength(byte[] bytes, int place) {
    return GroupSpace.get(bytes, place + LENGTHS) >>> LAST_BITS;
  }

  /** The address of the chain, -1 if there is none. */
  static int chain(byte[] bytes, int place) {
    return GroupSpace.get(bytes, place + CHAIN) - 1;
  }

  static void setChain(byte[] bytes, int place, int chain) {
    GroupSpace.set(bytes, place + CHAIN, chain + 1);
  }

  /** Length of the last value, or {@link #NOT_SHORT}. */
  static int lastLength(byte[] bytes, int place) {
    return GroupSpace.get(bytes, place + LENGTHS) & NOT_SHORT;
  }

  /** Where a last value of a length begins. */
  static int lastAt(int place, int lastLength) {
    return place + LAST_END - lastLength;
  }

  /** How many more times the last value came. */
  static int repeats(byte[] bytes, int place) {
    return GroupSpace.get(bytes, place + REPEATS);
  }

  /** Counts a value that is the last one again; false if it is another, or a long one. */
  static boolean repeat(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    int repeats = repeats(bytes, place);
    if (valueLength > ShortBytes.MOST
        || valueLength != lastLength(bytes, place)
        || ShortBytes.of(value, valueAt, valueLength) != (long) LONG.get(bytes, place + LAST)
        || repeats == Integer.MAX_VALUE) {
      return false;
    }
    GroupSpace.set(bytes, place + REPEATS, repeats + 1);
    return true;
  }

  /** Sets a last value of at most {@link ShortBytes#MOST} bytes, which came once. */
  static void setLast(byte[] bytes, int place, byte[] value, int valueAt, int valueLength) {
    LONG.set(bytes, place + LAST, ShortBytes.of(value, valueAt, valueLength));
    int lengths = GroupSpace.get(bytes, place + LENGTHS);
    GroupSpace.set(bytes, place + LENGTHS, lengths & ~NOT_SHORT | valueLength);
    GroupSpace.set(bytes, place + REPEATS, 0);
  }

  /** Says that the last value is in the chain. */
  static void clearLast(byte[] bytes, int place) {
    int lengths = GroupSpace.get(bytes, place + LENGTHS);
    GroupSpace.set(bytes, place + LENGTHS, lengths | NOT_SHORT);
  }
}
