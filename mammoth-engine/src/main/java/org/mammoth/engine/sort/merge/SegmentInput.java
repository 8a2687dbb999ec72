// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.Closeable;
import java.io.IOException;

/** The bytes of one sorted segment from front to end, wherever they lie. One thread at a time. */
public interface SegmentInput extends Closeable {

  /**
   * Reads at least one byte.
   *
   * @return how many bytes were read, or -1 at the end
   * @throws IOException if the bytes are lost or wrong
   */
  int read(byte[] into, int offset, int length) throws IOException;
}
