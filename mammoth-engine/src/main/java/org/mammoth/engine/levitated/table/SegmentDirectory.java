// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.table;

import java.nio.ByteBuffer;

/**
 * A segment table directory (STD): the entries of one subtree's segments, {@link #ENTRY_BYTES}
 * each, in memory of the cache pool. No object stands for a segment. Whoever has the subtree at
 * work uses it, one thread at a time.
 */
public final class SegmentDirectory {

  /** Bytes of an entry (STE). */
  public static final int ENTRY_BYTES = 48;

  private static final int LENGTH = 0;
  private static final int IDENTITY = 8;
  private static final int FETCHED = 16;
  private static final int NODE = 24;
  private static final int MAP = 28;
  private static final int ATTEMPT = 32;
  private static final int FLAGS = 34;
  private static final int TAIL = 36;
  private static final int NEED = 40;
  private static final int SUM = 44;

  /** What {@link #fetched} is when all of a segment was merged. */
  public static final long ALL_MERGED = Long.MAX_VALUE;

  private final ByteBuffer entries;
  private final int first;
  private int size;

  SegmentDirectory(ByteBuffer entries, int first) {
    this.entries = entries;
    this.first = first;
  }

  void add(int node, int map, int attempt, long length, long identity) {
    int at = size * ENTRY_BYTES;
    entries.putLong(at + LENGTH, length);
    entries.putLong(at + IDENTITY, identity);
    entries.putLong(at + FETCHED, 0);
    entries.putInt(at + NODE, node);
    entries.putInt(at + MAP, map);
    entries.putShort(at + ATTEMPT, (short) attempt);
    entries.putShort(at + FLAGS, (short) 0);
    entries.putInt(at + SUM, 0);
    entries.putInt(at + TAIL, 0);
    entries.putInt(at + NEED, -1);
    size++;
  }

  /** How many segments it has. */
  public int size() {
    return size;
  }

  /** The index of its first segment among all of the reduce. */
  public int first() {
    return first;
  }

  /** Bytes of the segment's records, the end mark included. */
  public long length(int slot) {
    return entries.getLong(slot * ENTRY_BYTES + LENGTH);
  }

  /** What its source calls this very content. */
  public long identity(int slot) {
    return entries.getLong(slot * ENTRY_BYTES + IDENTITY);
  }

  /** The node that has it, as the reduce counts nodes. */
  public int node(int slot) {
    return entries.getInt(slot * ENTRY_BYTES + NODE);
  }

  /** The number of the map task. */
  public int map(int slot) {
    return entries.getInt(slot * ENTRY_BYTES + MAP);
  }

  /** The number of the map's attempt, below 65,536. */
  public int attempt(int slot) {
    return entries.getShort(slot * ENTRY_BYTES + ATTEMPT) & 0xffff;
  }

  /** Offset of the first byte that is not here yet, or {@link #ALL_MERGED}. */
  public long fetched(int slot) {
    return entries.getLong(slot * ENTRY_BYTES + FETCHED);
  }

  /** Sets {@link #fetched}. */
  public void fetched(int slot, long offset) {
    entries.putLong(slot * ENTRY_BYTES + FETCHED, offset);
  }

  /** Bytes before {@link #fetched} that are here and not merged yet. */
  public int tail(int slot) {
    return entries.getInt(slot * ENTRY_BYTES + TAIL);
  }

  /** Sets {@link #tail}. */
  public void tail(int slot, int bytes) {
    entries.putInt(slot * ENTRY_BYTES + TAIL, bytes);
  }

  /** Bytes that its subtree is expected to merge of it in one turn; -1 if nothing is known. */
  public int need(int slot) {
    return entries.getInt(slot * ENTRY_BYTES + NEED);
  }

  /** Sets {@link #need}. */
  public void need(int slot, int bytes) {
    entries.putInt(slot * ENTRY_BYTES + NEED, bytes);
  }

  /** CRC-32 of what was merged of it so far. */
  public int sum(int slot) {
    return entries.getInt(slot * ENTRY_BYTES + SUM);
  }

  /** Whether {@link #sum} tells nothing, as some of its bytes were read apart. */
  public boolean isSumUnknown(int slot) {
    return entries.getShort(slot * ENTRY_BYTES + FLAGS) != 0;
  }

  /** Sets {@link #sum} and {@link #isSumUnknown}. */
  public void sum(int slot, int sum, boolean unknown) {
    entries.putInt(slot * ENTRY_BYTES + SUM, sum);
    entries.putShort(slot * ENTRY_BYTES + FLAGS, (short) (unknown ? 1 : 0));
  }
}
