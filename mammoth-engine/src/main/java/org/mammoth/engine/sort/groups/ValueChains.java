// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import org.mammoth.engine.sort.keys.Vints;

/**
 * Values of groups, in the order they came, each group's in a chain of chunks that double in size:
 * frequent keys are read and written in sequence, and rare ones waste little. A value that comes
 * several times in a row is kept once, with how often it came.
 *
 * <p>One thread at a time.
 */
public final class ValueChains {

  /** Fields of a chain, before its first chunk: its last chunk, and the free place in that. */
  private static final int TAIL = 0;

  private static final int TAIL_AT = 4;
  private static final int TAIL_END = 8;
  private static final int CHAIN_BYTES = 12;

  /** Fields of a chunk, before its values. */
  private static final int NEXT = 0;

  private static final int USED_END = 4;
  private static final int CHUNK_BYTES = 8;

  /**
   * A value's head is twice its length as a vint, plus this if how many more times it came follows
   * the value.
   */
  static final int REPEATED = 1;

  /** Lengths double in a value's head. */
  static final int MOST_VALUE_BYTES = Integer.MAX_VALUE / 2;

  private static final int FIRST_VALUES = 24;
  private static final int MOST_VALUES = 2048;

  private final GroupSpace space;

  /** Chains in a space. */
  ValueChains(GroupSpace space) {
    this.space = space;
  }

  /** Bytes that a value takes in a chain, with its head and the count of its repeats. */
  static long room(int valueLength) {
    return (long) Vints.sizeOf(2 * valueLength) + valueLength + Vints.MAX_BYTES;
  }

  /** Bytes of a new chain that has room for {@code need} bytes of values. */
  static long sizeOf(long need) {
    return CHAIN_BYTES + CHUNK_BYTES + Math.max(FIRST_VALUES, need);
  }

  /** Begins a chain in {@link #sizeOf} bytes at an address. */
  void begin(int chain, int need) {
    setTail(
        space.slab(chain), space.place(chain), chain + CHAIN_BYTES, Math.max(FIRST_VALUES, need));
  }

  private void setTail(byte[] head, int headAt, int chunk, int room) {
    int at = space.place(chunk) + CHUNK_BYTES;
    GroupSpace.set(head, headAt + TAIL, chunk);
    GroupSpace.set(head, headAt + TAIL_AT, at);
    GroupSpace.set(head, headAt + TAIL_END, at + room);
  }

  /** Sees to it that a chain has so many bytes free; false, and nothing changed, if not. */
  boolean makeRoom(int chain, long need) {
    byte[] head = space.slab(chain);
    int headAt = space.place(chain);
    int at = GroupSpace.get(head, headAt + TAIL_AT);
    int end = GroupSpace.get(head, headAt + TAIL_END);
    if (need <= end - at) {
      return true;
    }
    int tail = GroupSpace.get(head, headAt + TAIL);
    int oldRoom = end - space.place(tail) - CHUNK_BYTES;
    long room = Math.max(need, Math.min(MOST_VALUES, 2 * oldRoom));
    int next = space.allocate(CHUNK_BYTES + room);
    if (next < 0) {
      return false;
    }
    byte[] full = space.slab(tail);
    GroupSpace.set(full, space.place(tail) + NEXT, next);
    GroupSpace.set(full, space.place(tail) + USED_END, at);
    setTail(head, headAt, next, (int) room);
    return true;
  }

  /** Adds a value to a chain's end, where there is room for it. */
  void add(int chain, byte[] value, int valueAt, int valueLength, int repeats) {
    byte[] head = space.slab(chain);
    int headAt = space.place(chain);
    byte[] tail = space.slab(GroupSpace.get(head, headAt + TAIL));
    int flag = repeats == 0 ? 0 : REPEATED;
    int at = Vints.write(tail, GroupSpace.get(head, headAt + TAIL_AT), 2 * valueLength | flag);
    System.arraycopy(value, valueAt, tail, at, valueLength);
    at += valueLength;
    if (repeats != 0) {
      at = Vints.write(tail, at, repeats);
    }
    GroupSpace.set(head, headAt + TAIL_AT, at);
  }

  static int firstChunk(int chain) {
    return chain + CHAIN_BYTES;
  }

  int lastChunk(int chain) {
    return GroupSpace.get(space.slab(chain), space.place(chain) + TAIL);
  }

  /** Where in its slab the values of the last chunk end. */
  int lastEnd(int chain) {
    return GroupSpace.get(space.slab(chain), space.place(chain) + TAIL_AT);
  }

  /** The chunk after one that is not the last. */
  int nextChunk(int chunk) {
    return GroupSpace.get(space.slab(chunk), space.place(chunk) + NEXT);
  }

  /** Where in its slab a chunk's values begin. */
  int valuesAt(int chunk) {
    return space.place(chunk) + CHUNK_BYTES;
  }

  /** Where in its slab the values of a chunk end that is not the last. */
  int valuesEnd(int chunk) {
    return GroupSpace.get(space.slab(chunk), space.place(chunk) + USED_END);
  }
}
