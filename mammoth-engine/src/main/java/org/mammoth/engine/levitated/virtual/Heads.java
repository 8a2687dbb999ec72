// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;
import java.util.Arrays;
import org.mammoth.engine.levitated.table.SegmentDirectory;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;

/**
 * What a subtree at work holds of its segments (the paper's SEBs): their fetched bytes in one
 * array, and of each the record at which the merge stands and the last one that is whole. One
 * thread at a time.
 */
final class Heads {

  /** The record is here. */
  static final byte WHOLE = 0;

  /** Its key is here; its value is large and stays at the source until the reduce wants it. */
  static final byte LATE = 1;

  /** More bytes are needed to see it. */
  static final byte SHORT = 2;

  /** There are no more. */
  static final byte END = 3;

  private static final int LARGEST = Integer.MAX_VALUE - 8;

  final KeyOrder order;
  private final int lateBytes;
  private final int room;
  private final int trailer;
  private final RunningCrc crc = new RunningCrc();
  byte[] arena;
  private int used;
  private int size;
  private int first;

  final int[] at;
  final int[] limit;
  final int[] keyAt;
  final int[] keyLength;
  final int[] end;
  final byte[] state;
  final long[] prefix;
  final long[] fetched;
  final long[] length;
  final long[] merged;

  /** After the last record that is whole or late; 0 if there is none. */
  final int[] scanned;

  final int[] lastKeyAt;
  final int[] lastKeyLength;
  final long[] lastPrefix;

  /** Everything up to the segment's end is here. */
  final boolean[] all;

  /** Checksum of what was merged. */
  final int[] sum;

  /** Values of the segment were read apart, and are not in its checksum. */
  final boolean[] sumUnknown;

  /** The last record seen is late: what follows it is fetched when it was passed. */
  private final boolean[] lateLast;

  private int formKeyAt;
  private int formKeyLength;
  private long formEnd;

  /**
   * Room for the segments of one subtree.
   *
   * @param segments most segments of a subtree
   * @param room bytes the array has at first
   * @param lateBytes a value larger than this stays at its source unless it is here already
   * @param trailer bytes of the checksum (CRC-32) after a segment's records: 4, or 0 if it has none
   */
  Heads(KeyOrder order, int segments, int room, int lateBytes, int trailer) {
    this.order = order;
    this.trailer = trailer;
    sum = new int[segments];
    sumUnknown = new boolean[segments];
    this.lateBytes = lateBytes;
    this.room = room;
    this.arena = new byte[room];
    at = new int[segments];
    limit = new int[segments];
    keyAt = new int[segments];
    keyLength = new int[segments];
    end = new int[segments];
    state = new byte[segments];
    prefix = new long[segments];
    fetched = new long[segments];
    length = new long[segments];
    merged = new long[segments];
    scanned = new int[segments];
    lastKeyAt = new int[segments];
    lastKeyLength = new int[segments];
    lastPrefix = new long[segments];
    all = new boolean[segments];
    lateLast = new boolean[segments];
  }

  /** Bytes of heap for {@code segments} and {@code room}. */
  static long heapBytes(int segments, int room) {
    return room + segments * 86L;
  }

  /** Begins with the segments of a directory, of which nothing is here yet. */
  void begin(SegmentDirectory directory) {
    used = 0;
    if (arena.length > 2 * room) {
      arena = new byte[room];
    }
    size = directory.size();
    first = directory.first();
    for (int i = 0; i < size; i++) {
      fetched[i] = directory.fetched(i);
      length[i] = directory.length(i);
      sum[i] = directory.sum(i);
      sumUnknown[i] = directory.isSumUnknown(i);
      state[i] = fetched[i] == SegmentDirectory.ALL_MERGED ? END : SHORT;
      all[i] = state[i] == END;
      at[i] = 0;
      limit[i] = 0;
    }
    Arrays.fill(merged, 0, size, 0);
    Arrays.fill(scanned, 0, size, 0);
  }

  int size() {
    return size;
  }

  /** Index of the first segment among all of the reduce. */
  int first() {
    return first;
  }

  /** Bytes of the array in use. */
  int used() {
    return used;
  }

  /**
   * Makes room for bytes right behind those of a segment, which may move.
   *
   * @return where they go in {@link #arena}, which may be another one after this
   */
  int extend(int i, int bytes) throws IOException {
    int here = limit[i] - at[i];
    boolean last = here > 0 && limit[i] == used;
    long wanted = (long) used + (last ? 0 : here) + bytes;
    if (wanted > LARGEST) {
      throw new IOException("records of segment " + (first + i) + " do not fit the heap's arrays");
    }
    if (wanted > arena.length) {
      arena =
          Arrays.copyOf(arena, (int) Math.min(LARGEST, Math.max(wanted, arena.length * 3L / 2)));
    }
    if (!last) {
      int by = used - at[i];
      System.arraycopy(arena, at[i], arena, used, here);
      at[i] += by;
      limit[i] += by;
      keyAt[i] += by;
      end[i] += by;
      scanned[i] += scanned[i] == 0 ? 0 : by;
      lastKeyAt[i] += by;
    }
    used = (int) wanted;
    return limit[i];
  }

  /** Offset in the segment of the record at {@code place}. */
  private long offset(int i, int place) {
    return fetched[i] - (limit[i] - place);
  }

  /** Looks at the record at {@code from}; what it finds is in the fields {@code form...}. */
  private byte form(int i, int from) throws IOException {
    int to = limit[i];
    if (from >= to) {
      return SHORT;
    }
    int one = Vints.size(arena[from]);
    if (one > Vints.MAX_BYTES) {
      throw damaged(i, from, "a length of " + one + " bytes");
    }
    if (from + one >= to) {
      return SHORT;
    }
    int two = Vints.size(arena[from + one]);
    if (two > Vints.MAX_BYTES) {
      throw damaged(i, from, "a length of " + two + " bytes");
    }
    if (from + one + two > to) {
      return SHORT;
    }
    int key = Vints.read(arena, from);
    int value = Vints.read(arena, from + one);
    if (key < 0 || value < 0) {
      if (key != -1 || value != -1 || offset(i, from + one + two) != length[i]) {
        throw damaged(i, from, "a record of lengths " + key + " and " + value);
      }
      return from + one + two + trailer > to ? SHORT : END;
    }
    formKeyAt = from + one + two;
    formKeyLength = key;
    formEnd = (long) formKeyAt + key + value;
    if (offset(i, from) + (formEnd - from) > length[i] - 2) {
      throw damaged(i, from, "a record of lengths " + key + " and " + value);
    }
    if (formEnd <= to) {
      return WHOLE;
    }
    return value > lateBytes && (long) formKeyAt + key <= to ? LATE : SHORT;
  }

  private IOException damaged(int i, int from, String what) {
    return new DamagedSegmentException(
        first + i,
        "segment " + (first + i) + " is damaged: at " + offset(i, from) + " it has " + what,
        null);
  }

  /** Sees which records are whole after more bytes have come. */
  void scan(int i) throws IOException {
    int next = scanned[i] == 0 ? at[i] : scanned[i];
    byte found = WHOLE;
    int lastAt = 0;
    while (found == WHOLE) {
      found = form(i, next);
      if (found == WHOLE || found == LATE) {
        lastAt = formKeyAt;
        lastKeyLength[i] = formKeyLength;
        next = found == WHOLE ? (int) formEnd : limit[i];
      }
    }
    if (found == SHORT && fetched[i] >= length[i] + trailer) {
      // what is missing would be asked for, and not come, again and again
      throw damaged(i, next, "no end within its " + length[i] + " bytes");
    }
    all[i] = found == END;
    lateLast[i] = found == LATE;
    if (lastAt != 0) {
      scanned[i] = next;
      lastKeyAt[i] = lastAt;
      lastPrefix[i] = order.prefix(arena, lastAt, lastKeyLength[i]);
    }
  }

  /** Bytes of the segment that were not fetched. */
  long left(int i) {
    return all[i] ? 0 : length[i] + trailer - fetched[i];
  }

  /** Whether the merge may pass at least one record of it. */
  boolean hasWhole(int i) {
    return scanned[i] > at[i];
  }

  /** Whether the last record the merge may pass has its value left at the source. */
  boolean isLateLast(int i) {
    return lateLast[i];
  }

  /** Bytes without which the next record can't be passed, 0 if that is not known. */
  long missing(int i) throws IOException {
    if (form(i, at[i]) != SHORT || limit[i] - at[i] < 2 * Vints.MAX_BYTES) {
      return 0;
    }
    long value = formEnd - formKeyAt - formKeyLength;
    return (value > lateBytes ? (long) formKeyAt + formKeyLength : formEnd) - limit[i];
  }

  /** Compares the last whole records' keys of two segments. */
  int compareLast(int a, int b) {
    if (lastPrefix[a] != lastPrefix[b]) {
      return lastPrefix[a] < lastPrefix[b] ? -1 : 1;
    }
    if (order.decides(lastPrefix[a])) {
      return 0;
    }
    return order.compare(
        arena, lastKeyAt[a], lastKeyLength[a], arena, lastKeyAt[b], lastKeyLength[b]);
  }

  /** Moves to the record at {@link #at}. */
  byte look(int i) throws IOException {
    byte found = form(i, at[i]);
    state[i] = found;
    if (found == END) {
      check(i);
    }
    if (found <= LATE) {
      keyAt[i] = formKeyAt;
      keyLength[i] = formKeyLength;
      end[i] = (int) Math.min(formEnd, limit[i]);
      prefix[i] = order.prefix(arena, formKeyAt, formKeyLength);
    }
    return found;
  }

  /** Compares the checksum of a segment's records with the one behind them. */
  private void check(int i) throws IOException {
    if (trailer == 0 || sumUnknown[i]) {
      return;
    }
    int end = at[i] + 2;
    int told = 0;
    for (int k = 0; k < Integer.BYTES; k++) {
      told = told << 8 | arena[end + k] & 0xff;
    }
    if (told != crc.update(sum[i], arena, at[i], 2)) {
      throw new DamagedSegmentException(
          first + i,
          "segment " + (first + i) + " does not fit its checksum, though its pieces came as sent",
          null);
    }
  }

  /** Length of the value of the record at {@link #at}, which is late. */
  int lateLength(int i) {
    return Vints.read(arena, at[i] + Vints.size(arena[at[i]]));
  }

  /** Offset in the segment of the value of the record at {@link #at}. */
  long valueOffset(int i) {
    return offset(i, keyAt[i] + keyLength[i]);
  }

  /**
   * Passes the record at {@link #at}.
   *
   * @return bytes of it that are here and come again, as its value stays at the source
   */
  int pass(int i) {
    if (state[i] == WHOLE) {
      if (trailer > 0 && !sumUnknown[i]) {
        sum[i] = crc.update(sum[i], arena, at[i], end[i] - at[i]);
      }
      merged[i] += end[i] - at[i];
      at[i] = end[i];
      return 0;
    }
    sumUnknown[i] = true;
    long value = valueOffset(i);
    int dropped = (int) (fetched[i] - value);
    merged[i] += keyAt[i] + keyLength[i] - at[i];
    fetched[i] = value + lateLength(i);
    at[i] = limit[i];
    return dropped;
  }
}
