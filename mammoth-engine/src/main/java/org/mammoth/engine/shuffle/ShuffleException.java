// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.io.IOException;

/** Something the shuffle could not do, with a reason a program can act on. */
public class ShuffleException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  public ShuffleException(Reason reason, String message) {
    this(reason, message, null);
  }

  public ShuffleException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why; {@link Reason#retriable()} says whether to try again. */
  public Reason reason() {
    return reason;
  }
}
