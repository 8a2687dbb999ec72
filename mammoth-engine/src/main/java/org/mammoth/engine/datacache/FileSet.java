// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import org.mammoth.engine.memory.SpareUnit;

/**
 * The files that one job writes to one folder: they are worth keeping together, and are given up
 * together. Guarded by {@link DataCache}'s monitor, but for the count of bytes.
 */
final class FileSet {

  /**
   * Which set.
   *
   * @param folder where the files are once they are committed
   * @param job that wrote them
   */
  record Key(String folder, String job) {}

  final Key key;
  final String kind;

  /** Whether its files are kept, decided once for all of them. */
  final boolean admitted;

  /** Whether an administrator has named its folder. */
  final boolean named;

  final long writtenNanos;

  /** Memory, the first written first. */
  final Deque<Slot> slots = new ArrayDeque<>();

  /** A unit that small files share, and how much of it is used; null while there is none. */
  Slot shared;

  int sharedUsed;
  boolean sharing;

  int files;
  long bytes;
  int writers;

  /** Whether something of it is not kept for want of memory. */
  boolean incomplete;

  /** Whether a later job has read of it. */
  boolean read;

  /** When it was last written or read, by the order of such events. */
  long used;

  final LongAdder bytesRead = new LongAdder();

  FileSet(Key key, String kind, boolean admitted, boolean named, long writtenNanos) {
    this.key = key;
    this.kind = kind;
    this.admitted = admitted;
    this.named = named;
    this.writtenNanos = writtenNanos;
  }

  /** Takes a slot of this unit out, wherever it is. */
  void remove(Slot slot) {
    slots.removeLastOccurrence(slot);
    forgetShared(slot.unit);
  }

  void forgetShared(SpareUnit unit) {
    if (shared != null && shared.unit == unit) {
      shared = null;
    }
  }
}
