// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.memory.SpareUnit;

/** A unit and the files that have bytes in it: one, or several small ones of a set. */
final class Slot {

  final SpareUnit unit;
  final List<KeptFile> files = new ArrayList<>(1);

  Slot(SpareUnit unit) {
    this.unit = unit;
  }
}
