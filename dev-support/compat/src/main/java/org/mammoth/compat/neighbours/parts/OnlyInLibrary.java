// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

/** Reaches tasks in a jar of {@code -libjars} only. */
public final class OnlyInLibrary {
  private OnlyInLibrary() {}

  /** Something to say. */
  public static String says() {
    return "from the library";
  }
}
