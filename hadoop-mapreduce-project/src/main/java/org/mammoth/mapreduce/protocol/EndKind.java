// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

/** What a container's end says of its program; the place in this list is the number on the wire. */
public enum EndKind {
  /** The program ended, or a signal ended it: the exit status is its own. */
  PROGRAM,

  /** The engine failed it; the program is innocent and its task is run again. */
  ABORTED,

  /**
   * It reached what an engine cannot confine, which the diagnostics name: it is run again, in a
   * process of its own.
   */
  NEEDS_PROCESS,

  /**
   * As {@link #PROGRAM}, of a program that reached what an engine cannot confine, which the
   * diagnostics name, where it could not be run again: later jobs of its kind get processes.
   */
  PROGRAM_WITH_NEED;

  /** Whether it says that tasks of such jobs need processes of their own. */
  public boolean tellsNeed() {
    return this == NEEDS_PROCESS || this == PROGRAM_WITH_NEED;
  }

  static EndKind of(int number) {
    EndKind[] all = values();
    // A newer engine may know more kinds; its exit status says the rest.
    return number >= 0 && number < all.length ? all[number] : ABORTED;
  }
}
