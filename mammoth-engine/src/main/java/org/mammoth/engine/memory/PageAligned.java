// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.nio.ByteBuffer;

/** Direct buffers that begin on a page's boundary, as I/O past the page cache wants them. */
public final class PageAligned {

  private static final int PAGE = 4096;

  /** What is reserved beside the capacity of each buffer. */
  public static final int ADDED_BYTES = PAGE - 1;

  private PageAligned() {}

  /** Allocates {@code capacity} bytes; up to a page more is reserved. */
  public static ByteBuffer allocate(int capacity) {
    ByteBuffer whole = ByteBuffer.allocateDirect(capacity + ADDED_BYTES);
    int beyond = whole.alignmentOffset(0, PAGE);
    int from = beyond == 0 ? 0 : PAGE - beyond;
    // A NodeManager on Java 11 calls this, which has no slice of two numbers.
    return whole.limit(from + capacity).position(from).slice();
  }
}
