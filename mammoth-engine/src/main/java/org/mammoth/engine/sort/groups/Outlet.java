// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.io.IOException;

/** Takes records that leave a hash table for good, to be sorted. */
public interface Outlet {

  /** Takes a record; the arrays are the table's. */
  void sort(
      int partition,
      byte[] key,
      int keyAt,
      int keyLength,
      byte[] value,
      int valueAt,
      int valueLength)
      throws IOException, InterruptedException;
}
