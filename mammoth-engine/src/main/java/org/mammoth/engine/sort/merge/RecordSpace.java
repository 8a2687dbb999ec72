// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.lang.ref.SoftReference;

/**
 * Where a merge has one large record at a time in one piece. The array is used again for the next
 * such record, and goes when the heap runs short and no record lies in it. One thread at a time.
 */
public final class RecordSpace {

  private static final int MOST_SLACK = 8 << 20;
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private SoftReference<byte[]> last = new SoftReference<>(null);

  /**
   * An array for a record. What lay in the one before may be overwritten.
   *
   * @param size bytes it must hold, up to 2 GiB
   */
  byte[] array(int size) {
    byte[] array = last.get();
    if (array == null || array.length < size) {
      last.clear();
      array = null;
      // records that follow are as large, more or less
      int slack = Math.min(size / 8, MOST_SLACK);
      array = new byte[(int) Math.min(LARGEST_ARRAY, (long) size + slack)];
      last = new SoftReference<>(array);
    }
    return array;
  }
}
