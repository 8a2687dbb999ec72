// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

/**
 * One thing the doctor has found.
 *
 * @param level how bad it is
 * @param id short and stable, for programs and for {@code --accept}
 * @param text what is the case, and what follows from it
 * @param remedy what to do about it; empty if nothing needs to be done
 */
public record Finding(Level level, String id, String text, String remedy) {

  /** How bad. */
  public enum Level {
    /** Good to know. */
    OK,
    /** Works, but not as well as it could, or not everywhere. */
    WARNING,
    /** Mammoth is not added to this node. */
    ERROR
  }

  static Finding ok(String id, String text) {
    return new Finding(Level.OK, id, text, "");
  }

  static Finding warning(String id, String text, String remedy) {
    return new Finding(Level.WARNING, id, text, remedy);
  }

  static Finding error(String id, String text, String remedy) {
    return new Finding(Level.ERROR, id, text, remedy);
  }
}
