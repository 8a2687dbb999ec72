// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

/** The records of a sorted element, one partition after the other. */
final class ElementCursor extends RecordCursor {

  private final EntryIndex entries;
  private int index = -1;
  private int partition;

  ElementCursor(Element element) {
    this.entries = element.index();
    this.bytes = element.bytes();
  }

  /** Lets {@link #next} go through the records of {@code wanted}, which only ever grows. */
  void enter(int wanted) {
    partition = wanted;
  }

  @Override
  public boolean next() {
    int candidate = index + 1;
    if (candidate >= entries.count()) {
      return false;
    }
    long place = entries.place(candidate);
    if ((int) (place >>> 32) != partition) {
      return false;
    }
    index = candidate;
    int at = (int) place;
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
