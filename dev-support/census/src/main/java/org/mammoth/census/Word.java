// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.Locale;

/** What may be said of a field or call. Of what each task has for itself task-statics.txt tells. */
enum Word {
  CONSTANT("nothing changes it once its class is initialised, or nobody does"),
  CACHE("facts that are the same for all jobs, found when they are first needed"),
  SHARED("shared on purpose: what a task sees of it is what it would see alone"),
  RESET("put back at a stated moment"),
  UNREACHED(
      "of code that neither a task nor an ApplicationMaster reaches, which the census checks"),
  NEEDS_PROCESS("who changes it gets a process of its own"),
  GAP("known to be seen by other jobs, and not mended");

  private final String text;

  Word(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** As the file names it. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Word of(String word) {
    for (Word each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no word of judgement: " + word);
  }
}
