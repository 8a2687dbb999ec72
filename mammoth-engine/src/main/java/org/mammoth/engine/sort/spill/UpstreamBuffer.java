// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.keys.Vints;

/**
 * Tells where upstream's {@code MapTask.MapOutputBuffer} ends one spill and begins the next. Its
 * buffer is a ring: from a mark that it calls the equator, keys and values grow upwards and 16
 * bytes for each record grow downwards. A record that finds the limit reached begins a spill, at an
 * equator in the middle of what is free. That does not depend on how fast the spills are written: a
 * spill of more than half the buffer leaves no room for another one meanwhile.
 *
 * <p>One thread at a time.
 */
public final class UpstreamBuffer {

  private static final int RECORD_BYTES = UpstreamSort.RECORD_BYTES;

  private final int capacity;
  private final int limit;

  /** Where the spill at hand begins, and where its last value ends. */
  private int equator;

  private int end;

  /** Bytes at the ring's end that stay empty, because a key may not lie around it. */
  private int unused;

  /** Of the spill at hand. */
  private long records;

  private long bytes;

  /** Of all spills. */
  private long allRecords;

  private long allBytes;

  /** The spill at hand is a record that fits no buffer. */
  private boolean alone;

  /** An empty buffer. */
  UpstreamBuffer(UpstreamSort settings) {
    this.capacity = settings.bufferBytes();
    this.limit = settings.spillBytes();
  }

  /**
   * Takes the records of an element, in the order in which they were collected, until upstream
   * would begin another spill.
   *
   * @param from the first one that was not taken yet
   * @return how many of the others belong to the spill at hand; if not all of them, a new one has
   *     begun
   */
  int take(Element element, int from) {
    int count = element.count();
    if (from == 0 && takeAll(count, element.payload(), element.largest())) {
      return count;
    }
    byte[] record = element.bytes();
    for (int i = from; i < count; i++) {
      int at = (int) element.index().place(i);
      int keyLength = Vints.read(record, at);
      int valueLength = Vints.read(record, at + Vints.size(record[at]));
      if (!take(keyLength, valueLength)) {
        return i - from;
      }
    }
    return count - from;
  }

  /** Takes several records if none of them changes anything but how full the buffer is. */
  private boolean takeAll(int count, long payload, int largest) {
    long after = used() + payload + (long) RECORD_BYTES * count;
    if (alone
        || after >= limit
        || end + payload >= capacity
        || capacity - after <= largest + 2 * RECORD_BYTES) {
      return false;
    }
    add(count, payload);
    end += (int) payload;
    return true;
  }

  /**
   * Takes a record.
   *
   * @return false if it does not belong to the spill at hand; a new one has begun, which takes it
   *     when it comes again
   */
  boolean take(int keyLength, int valueLength) {
    if (alone) {
      alone = false;
      return false;
    }
    if (records > 0 && used() >= limit) {
      begin(inTheMiddle());
      return false;
    }
    int start = end;
    int left = unused;
    write(keyLength, valueLength);
    // as much as it asks for before each piece that it writes, of which the last is an empty one
    if (free() - keyLength - valueLength <= 2 * RECORD_BYTES) {
      end = start;
      unused = left;
      if (records > 0) {
        begin(start);
        return false;
      }
      begin(0);
      alone = true;
      allRecords++;
      return true;
    }
    add(1, (long) keyLength + valueLength);
    return true;
  }

  private void add(int count, long payload) {
    records += count;
    bytes += payload;
    allRecords += count;
    allBytes += payload;
  }

  private void write(int keyLength, int valueLength) {
    if (keyLength > capacity - end) {
      unused = capacity - end;
      end = keyLength;
    } else {
      end += keyLength;
    }
    end = valueLength > capacity - end ? valueLength - (capacity - end) : end + valueLength;
  }

  private long used() {
    return RECORD_BYTES + equator % RECORD_BYTES + RECORD_BYTES * records + bytes + unused;
  }

  private long free() {
    return capacity - used();
  }

  /** Leaves room for as many records as keys and values of the average size need. */
  private int inTheMiddle() {
    int free = (int) free();
    int average = (int) (allBytes / allRecords);
    int below = Math.min(free / 2, free / (RECORD_BYTES + average) * RECORD_BYTES);
    return (int) ((end + (long) Math.max(2 * RECORD_BYTES - 1, below)) % capacity);
  }

  private void begin(int newEquator) {
    equator = newEquator;
    end = newEquator;
    unused = 0;
    records = 0;
    bytes = 0;
  }
}
