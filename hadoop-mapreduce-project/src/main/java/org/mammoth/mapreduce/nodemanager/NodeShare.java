// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;

/**
 * What a node has for engines. One that has no room for any has a reason against them, and none
 * that keeps its NodeManager from starting.
 *
 * @param whole what an engine has that is alone; {@link EngineSizing#NONE} if none can be
 * @param limitMb of the control group that each engine is in
 * @param reasonAgainst why no engine can be; empty if one can
 */
record NodeShare(EngineSizing whole, long limitMb, String reasonAgainst) {

  /**
   * Reads the keys.
   *
   * @param ownGroups whether engines are in control groups that are made for them, and not in this
   *     process's
   */
  static NodeShare of(Configuration conf, boolean ownGroups) {
    try {
      long limitMb = ownGroups ? EngineSizing.UNLIMITED_MB : EngineSizing.ownLimitMb();
      return new NodeShare(EngineSizing.of(conf, 1, limitMb), limitMb, "");
    } catch (IllegalArgumentException | UncheckedIOException e) {
      return new NodeShare(EngineSizing.NONE, EngineSizing.UNLIMITED_MB, e.getMessage());
    }
  }

  /** What tasks in engines may ask for together, MiB; next to nothing where none are. */
  long admittedMb(Configuration conf) {
    return reasonAgainst.isEmpty() ? whole.admittedMb(conf) : 1;
  }
}
