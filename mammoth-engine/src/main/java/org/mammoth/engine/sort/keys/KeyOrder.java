// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

/**
 * The order of serialised keys, with a prefix of eight bytes that settles most comparisons without
 * touching the keys: if the prefix of one key is smaller (as signed long) than the other's, so is
 * the key. Used by one thread at a time, as Hadoop's comparators are.
 */
public abstract class KeyOrder {

  /** The number that stands for the key in quick comparisons. */
  public abstract long prefix(byte[] bytes, int offset, int length);

  /** Whether two keys with this same prefix are known to be equal. */
  public abstract boolean decides(long prefix);

  /** Compares two keys whole; negative, zero or positive. */
  public abstract int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength);

  /**
   * Whether it is known to be an order, so that any sort gives the same but for equal keys. A job's
   * comparator may say anything of any two keys.
   */
  public boolean isTotal() {
    return true;
  }

  /** Whether a key compares as equal to itself, as all should. */
  public boolean equalsItself(byte[] bytes, int offset, int length) {
    return true;
  }
}
