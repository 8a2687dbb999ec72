// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;

/** How some file systems refuse direct I/O although they let a file be opened for it. */
final class Refusal {

  private static final String TEXT = "Invalid argument";

  private Refusal() {}

  /** Whether an error says nothing but that; one of the disk is another. */
  static boolean isOne(IOException e) {
    String text = e.getMessage();
    return text != null && text.endsWith(TEXT);
  }
}
