package org.mammoth.engine.sort;

/** The records of a {@link SortedBlock}, one partition after the other. */
final class BlockCursor extends RecordCursor {

  private final KeyOrder order;
  private final SortedBlock block;
  private int next;
  private int last;

  BlockCursor(KeyOrder order, SortedBlock block) {
    this.order = order;
    this.block = block;
    this.bytes = block.bytes();
    this.next = block.start();
  }

  /** Lets {@link #next} go through the records of {@code wanted}, which only ever grows. */
  void enter(int wanted) {
    last = block.ends()[wanted];
  }

  @Override
  public boolean next() {
    int at = next;
    if (at >= last) {
      return false;
    }
    start = at;
    keyLength = Vints.read(bytes, at);
    at += Vints.size(bytes[at]);
    int valueLength = Vints.read(bytes, at);
    keyAt = at + Vints.size(bytes[at]);
    end = keyAt + keyLength + valueLength;
    next = end;
    prefix = order.prefix(bytes, keyAt, keyLength);
    return true;
  }
}
