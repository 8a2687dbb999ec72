// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.PartitionCursor;

/** The records of a sorted index, one partition after the other. */
public final class IndexCursor extends PartitionCursor {

  private final EntryIndex entries;
  private int index = -1;
  private int partition;

  public IndexCursor(EntryIndex entries) {
    this.entries = entries;
  }

  @Override
  public void enter(int wanted) {
    partition = wanted;
    while (index + 1 < entries.count() && entries.partition(index + 1) < wanted) {
      index++;
    }
  }

  @Override
  public boolean next() {
    int candidate = index + 1;
    if (candidate >= entries.count()) {
      return false;
    }
    long entry = entries.place(candidate);
    if ((int) (entry >>> 32) != partition) {
      return false;
    }
    index = candidate;
    int place = (int) entry;
    bytes = entries.slab(place);
    int at = entries.start(place);
    start = at;
    keyLength = Vints.read(bytes, at);
    at += Vints.size(bytes[at]);
    int valueLength = Vints.read(bytes, at);
    keyAt = at + Vints.size(bytes[at]);
    end = keyAt + keyLength + valueLength;
    prefix = entries.prefix(candidate);
    return true;
  }
}
