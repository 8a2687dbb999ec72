// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.io.IOException;
import org.mammoth.engine.shuffle.Reason;

/** A segment cannot be read; the reason goes to whoever asked for it. */
public final class SegmentUnavailableException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  public SegmentUnavailableException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
