// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.mammoth.engine.shuffle.SegmentInfo;

/**
 * Takes what a fetch brings, on a socket's thread: never block here. Nothing comes after the
 * fetch's future completed.
 */
public interface FetchSink {

  /** The segment's lengths, before its first byte. */
  default void opened(SegmentInfo segment) {}

  /**
   * Verified bytes; each call goes on where the last one ended.
   *
   * @param offset of the first byte in the segment
   * @param data to be copied during the call
   * @throws IOException ends the fetch with this cause
   */
  void chunk(long offset, ByteBuffer data) throws IOException;
}
