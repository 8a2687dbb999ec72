// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.Locale;

/** What a process finds in a static field of its own when it first looks. */
enum SlotStart {
  /** A copy of the engine's: what the initialisation of shared classes has put there. */
  COPY,
  /** The same with copies of all that it refers to and that can change. */
  DEEP,
  /** An empty object of the same class as the engine's. */
  EMPTY,
  /** Null, zero or false. */
  ZERO,
  /** What the class's initialiser computes, run again for the process. */
  INIT;

  static SlotStart of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
