// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

/** Bytes in the order they came, in pages that go as they are read. One thread at a time. */
final class PageChain {

  private final Pages pages;
  private int first = Pages.NONE;
  private int last = Pages.NONE;
  private int readAt;
  private int writeAt;
  private long size;

  PageChain(Pages pages) {
    this.pages = pages;
  }

  /** Bytes that were appended and not read. */
  long size() {
    return size;
  }

  /**
   * Appends bytes.
   *
   * @return how many promised pages it took
   */
  int append(byte[] from, int offset, int length) {
    int taken = 0;
    int at = offset;
    int left = length;
    while (left > 0) {
      if (last == Pages.NONE || writeAt == pages.pageBytes()) {
        last = pages.take(last);
        first = first == Pages.NONE ? last : first;
        writeAt = 0;
        taken++;
      }
      int now = Math.min(left, pages.pageBytes() - writeAt);
      pages.put(last, writeAt, from, at, now);
      writeAt += now;
      at += now;
      left -= now;
    }
    size += length;
    return taken;
  }

  /**
   * Reads as many bytes as are here, {@code length} at most.
   *
   * @return how many were read
   */
  int read(byte[] into, int offset, int length) {
    int read = (int) Math.min(size, length);
    take(into, offset, read, false);
    return read;
  }

  /**
   * Reads bytes that are here and keeps the pages that this frees promised.
   *
   * @return how many pages were freed
   */
  int readKeeping(byte[] into, int offset, int length) {
    return take(into, offset, length, true);
  }

  private int take(byte[] into, int offset, int length, boolean keep) {
    int freed = 0;
    int at = offset;
    int left = length;
    size -= length;
    while (left > 0) {
      int here = (first == last ? writeAt : pages.pageBytes()) - readAt;
      int now = Math.min(left, here);
      pages.get(first, readAt, into, at, now);
      readAt += now;
      at += now;
      left -= now;
      if (readAt == pages.pageBytes() || size == 0 && left == 0) {
        dropFirst(keep);
        freed++;
      }
    }
    return freed;
  }

  private void dropFirst(boolean keep) {
    boolean only = first == last;
    int after = pages.give(first, keep);
    first = only ? Pages.NONE : after;
    last = only ? Pages.NONE : last;
    readAt = 0;
    writeAt = only ? 0 : writeAt;
  }

  /** Drops all bytes. */
  void clear() {
    while (first != Pages.NONE) {
      dropFirst(false);
    }
    size = 0;
  }
}
