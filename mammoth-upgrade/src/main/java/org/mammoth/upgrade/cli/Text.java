// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;

/** Texts for people. */
final class Text {

  private Text() {}

  /** What an exception says; those of files often have a file's name for a message. */
  static String of(IOException e) {
    String message = String.valueOf(e.getMessage());
    // Its message has a blank, and says nothing.
    boolean says = message.contains(" ") && !(e instanceof CharacterCodingException);
    return says ? message : e.getClass().getSimpleName() + ": " + message;
  }
}
