// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.io.IOException;

/** The rest of a segment that stayed at its source is not to be had any more. */
public final class SourceLostException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int segment;

  SourceLostException(int segment, String name, long position, Throwable cause) {
    super(
        "the rest of " + name + " from byte " + position + " on is lost: " + cause.getMessage(),
        cause);
    this.segment = segment;
  }

  /** What its reader calls it. */
  public int segment() {
    return segment;
  }
}
