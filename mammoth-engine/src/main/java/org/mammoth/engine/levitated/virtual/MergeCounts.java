// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.concurrent.atomic.LongAdder;

/** What a merge has done so far. Any thread. */
public final class MergeCounts {

  private final LongAdder fetched = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder ranges = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder turns = new LongAdder();
  private final LongAdder waits = new LongAdder();

  void fetched(long bytes) {
    fetched.add(bytes);
  }

  void dropped(long bytes) {
    dropped.add(bytes);
  }

  void asked(int count) {
    ranges.add(count);
    batches.increment();
  }

  void turn() {
    turns.increment();
  }

  void waited() {
    waits.increment();
  }

  /** Bytes that came from sources, those that came again included. */
  public long fetchedBytes() {
    return fetched.sum();
  }

  /** Bytes that came and were dropped before they were merged, and so come again. */
  public long refetchedBytes() {
    return dropped.sum();
  }

  /** Ranges asked for. */
  public long ranges() {
    return ranges.sum();
  }

  /** Calls of the reader. */
  public long batches() {
    return batches.sum();
  }

  /** How often a subtree was activated. */
  public long turns() {
    return turns.sum();
  }

  /** How often the reduce had to wait for a subtree. */
  public long waits() {
    return waits.sum();
  }
}
