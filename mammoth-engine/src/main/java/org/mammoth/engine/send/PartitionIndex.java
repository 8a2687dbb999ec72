// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.util.Arrays;
import org.mammoth.engine.shuffle.server.SegmentLengths;

/**
 * Where each partition's segment lies in a map's output file, as in the index file beside it:
 * start, length before encoding, length in the file. Immutable once the output is published.
 */
public final class PartitionIndex implements SegmentLengths {

  private static final int FIELDS = 3;

  /** As long as it is written, and where it has no short form. */
  private final long[] fields;

  private final Shape shape;

  /** See {@link Shape}. */
  private final int[] numbers;

  /**
   * What the short form of an index does not repeat for each partition: segments lie one behind the
   * other and the file is shorter than 4 GiB. The numbers are where each segment ends, from {@code
   * first} on, and then the lengths before encoding, unless these all differ alike from the lengths
   * in the file, as without a codec.
   *
   * @param first first byte of the first segment
   * @param difference of the two lengths, if there is one for all
   */
  record Shape(int partitions, long first, boolean isUniform, long difference, long fileBytes) {}

  /** An index of {@code partitions} empty entries. */
  public PartitionIndex(int partitions) {
    fields = new long[FIELDS * partitions];
    shape = null;
    numbers = null;
  }

  private PartitionIndex(Shape shape, int[] numbers) {
    this.fields = null;
    this.shape = shape;
    this.numbers = numbers;
  }

  /** The index of a shape and its numbers. */
  static PartitionIndex of(Shape shape, int[] numbers) {
    return new PartitionIndex(shape, numbers);
  }

  Shape shape() {
    return shape;
  }

  int[] numbers() {
    return numbers;
  }

  /**
   * The same in its short form, 4 or 8 bytes for each partition instead of 24; itself if it has
   * none.
   */
  public PartitionIndex compact() {
    int count = partitions();
    if (fields == null || count == 0) {
      return this;
    }
    long first = start(0);
    long next = first;
    long difference = rawLength(0) - partLength(0);
    boolean uniform = true;
    for (int partition = 0; partition < count; partition++) {
      long raw = rawLength(partition);
      if (start(partition) != next || raw < 0 || raw > 0xffffffffL || partLength(partition) < 0) {
        return this;
      }
      uniform &= raw - partLength(partition) == difference;
      next += partLength(partition);
    }
    if (next - first > 0xffffffffL) {
      return this;
    }
    int[] all = new int[uniform ? count : 2 * count];
    for (int partition = 0; partition < count; partition++) {
      all[partition] = (int) (start(partition) + partLength(partition) - first);
      if (!uniform) {
        all[count + partition] = (int) rawLength(partition);
      }
    }
    return of(new Shape(count, first, uniform, difference, next - first), all);
  }

  /** Sets the entry of {@code partition}. */
  public void set(int partition, long start, long rawLength, long partLength) {
    fields[FIELDS * partition] = start;
    fields[FIELDS * partition + 1] = rawLength;
    fields[FIELDS * partition + 2] = partLength;
  }

  @Override
  public int partitions() {
    return fields == null ? shape.partitions : fields.length / FIELDS;
  }

  /** First byte of the segment in the file. */
  public long start(int partition) {
    return fields == null ? shape.first + before(partition) : fields[FIELDS * partition];
  }

  private long before(int partition) {
    return partition == 0 ? 0 : Integer.toUnsignedLong(numbers[partition - 1]);
  }

  /** Bytes of the segment's records and end mark before any codec. */
  @Override
  public long rawLength(int partition) {
    if (fields != null) {
      return fields[FIELDS * partition + 1];
    }
    return shape.isUniform
        ? partLength(partition) + shape.difference
        : Integer.toUnsignedLong(numbers[shape.partitions + partition]);
  }

  /** Bytes of the segment in the file, checksum included. */
  @Override
  public long partLength(int partition) {
    return fields == null
        ? Integer.toUnsignedLong(numbers[partition]) - before(partition)
        : fields[FIELDS * partition + 2];
  }

  /** Bytes of all segments in the file. */
  public long fileBytes() {
    if (fields == null) {
      return shape.fileBytes;
    }
    long bytes = 0;
    for (int partition = 0; partition < partitions(); partition++) {
      bytes += partLength(partition);
    }
    return bytes;
  }

  /** Bytes of heap that its numbers take. */
  long heapBytes() {
    return fields == null ? 4L * numbers.length : 8L * fields.length;
  }

  @Override
  public String toString() {
    return fields == null ? shape + Arrays.toString(numbers) : Arrays.toString(fields);
  }
}
