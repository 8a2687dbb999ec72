package org.mammoth.engine.send;

/**
 * Where each partition's segment lies in a map's output file, as in the index file beside it:
 * start, length before encoding, length in the file. Immutable once the output is published.
 */
public final class PartitionIndex {

  private static final int FIELDS = 3;

  private final long[] fields;

  /** An index of {@code partitions} empty entries. */
  public PartitionIndex(int partitions) {
    fields = new long[FIELDS * partitions];
  }

  /** Sets the entry of {@code partition}. */
  public void set(int partition, long start, long rawLength, long partLength) {
    fields[FIELDS * partition] = start;
    fields[FIELDS * partition + 1] = rawLength;
    fields[FIELDS * partition + 2] = partLength;
  }

  /** How many partitions there are. */
  public int partitions() {
    return fields.length / FIELDS;
  }

  /** First byte of the segment in the file. */
  public long start(int partition) {
    return fields[FIELDS * partition];
  }

  /** Bytes of the segment's records and end mark before any codec. */
  public long rawLength(int partition) {
    return fields[FIELDS * partition + 1];
  }

  /** Bytes of the segment in the file, checksum included. */
  public long partLength(int partition) {
    return fields[FIELDS * partition + 2];
  }

  /** Bytes of all segments in the file. */
  public long fileBytes() {
    long bytes = 0;
    for (int partition = 0; partition < partitions(); partition++) {
      bytes += partLength(partition);
    }
    return bytes;
  }
}
