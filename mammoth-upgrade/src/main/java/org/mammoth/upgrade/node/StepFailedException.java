// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;

/** A step could not be done. The message says what, and what to do about it. */
public final class StepFailedException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * @param message for the administrator
   */
  public StepFailedException(String message) {
    super(message);
  }
}
