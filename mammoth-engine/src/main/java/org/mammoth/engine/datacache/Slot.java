// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import java.util.LinkedHashSet;
import java.util.Set;
import org.mammoth.engine.memory.SpareUnit;

/** A unit and the files that have bytes in it: one, or several small ones of a set. */
final class Slot {

  final SpareUnit unit;

  /** Thousands in one unit, if they are that small, and dropped one by one. */
  final Set<KeptFile> files = new LinkedHashSet<>(2);

  Slot(SpareUnit unit) {
    this.unit = unit;
  }
}
