// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import org.mammoth.engine.sort.keys.Vints;

/** A record as it lies in memory and in map output files: length of key, of value, key, value. */
public final class RecordForm {

  private RecordForm() {}

  /** Where the key of the record at {@code start} begins; its length stands first. */
  public static int keyAt(byte[] bytes, int start) {
    int valueLength = start + Vints.size(bytes[start]);
    return valueLength + Vints.size(bytes[valueLength]);
  }

  /** Bytes of the record at {@code start}. */
  public static int length(byte[] bytes, int start) {
    int valueLengthAt = start + Vints.size(bytes[start]);
    int keyAt = valueLengthAt + Vints.size(bytes[valueLengthAt]);
    return keyAt - start + Vints.read(bytes, start) + Vints.read(bytes, valueLengthAt);
  }
}
