// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.function.LongConsumer;

/**
 * The credit of one stream: all of it at the start, and returned in halves as bytes have found
 * their place. Any thread.
 */
final class Window {

  private final long bytes;
  private LongConsumer credit;
  private long owed;

  Window(long bytes) {
    this.bytes = bytes;
  }

  /** Bytes that may be under way. */
  long bytes() {
    return bytes;
  }

  /** The stream is there: gives it the whole window. */
  void open(LongConsumer stream) {
    granted(stream, bytes);
  }

  /** The stream is there, and was given the window when it was made. */
  void opened(LongConsumer stream) {
    granted(stream, 0);
  }

  private synchronized void granted(LongConsumer stream, long first) {
    credit = stream;
    long now = first + owed;
    owed = 0;
    if (now > 0) {
      credit.accept(now);
    }
  }

  /** Bytes have been taken, and as many more may come. */
  synchronized void used(long taken) {
    owed += taken;
    if (credit != null && 2 * owed >= bytes) {
      long now = owed;
      owed = 0;
      credit.accept(now);
    }
  }
}
