package org.mammoth.engine.sort;

/**
 * The records of one element, moved into their order, so that merging reads them in sequence. One
 * thread at a time.
 *
 * @param bytes the slab that holds them
 * @param start where the first partition begins
 * @param ends where each partition ends
 */
record SortedBlock(byte[] bytes, int start, int[] ends) {

  /** Bytes of the records of {@code element}. */
  static int size(Element element) {
    return element.end();
  }

  /**
   * Moves the records of a sorted element.
   *
   * @param into has {@link #size} bytes from {@code at}
   */
  static SortedBlock of(Element element, int partitions, byte[] into, int at) {
    int[] ends = new int[partitions];
    byte[] from = element.bytes();
    int to = at;
    int count = element.count();
    int partition = 0;
    for (int i = 0; i < count; i++) {
      long place = element.place(i);
      while (partition < (int) (place >>> 32)) {
        ends[partition++] = to;
      }
      int start = (int) place;
      int length = element.recordEnd(start) - start;
      System.arraycopy(from, start, into, to, length);
      to += length;
    }
    while (partition < partitions) {
      ends[partition++] = to;
    }
    return new SortedBlock(into, at, ends);
  }

  int end() {
    return ends[ends.length - 1];
  }
}
