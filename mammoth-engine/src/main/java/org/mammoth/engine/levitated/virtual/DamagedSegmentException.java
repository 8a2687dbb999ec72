// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;

/** A segment can't be read, or is not what its map wrote. */
public final class DamagedSegmentException extends IOException {

  private static final long serialVersionUID = 1;

  private final int segment;

  DamagedSegmentException(int segment, String message, Throwable cause) {
    super(message, cause);
    this.segment = segment;
  }

  /** The index of the segment in the table. */
  public int segment() {
    return segment;
  }
}
