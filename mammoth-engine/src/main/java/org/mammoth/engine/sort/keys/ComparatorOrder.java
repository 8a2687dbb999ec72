// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

import org.apache.hadoop.io.RawComparator;

/** The order of a comparator nothing is known about: every comparison is a call. */
public final class ComparatorOrder extends KeyOrder {

  private final RawComparator<?> comparator;

  ComparatorOrder(RawComparator<?> comparator) {
    this.comparator = comparator;
  }

  @Override
  public long prefix(byte[] bytes, int offset, int length) {
    return 0;
  }

  @Override
  public boolean decides(long prefix) {
    return false;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return comparator.compare(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public boolean isTotal() {
    return false;
  }

  @Override
  public boolean equalsItself(byte[] bytes, int offset, int length) {
    return compare(bytes, offset, length, bytes, offset, length) == 0;
  }
}
