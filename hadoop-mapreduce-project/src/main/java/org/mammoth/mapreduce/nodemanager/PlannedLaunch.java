// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Shell.CommandExecutor;

/** How one container will be launched, decided before anything of it has started. */
@FunctionalInterface
interface PlannedLaunch {

  /**
   * The command that upstream's executor will run for the container.
   *
   * @param pidFile where the container's process id belongs
   * @param ordinary the command of an ordinary container, to use or to fall back to
   */
  CommandExecutor command(Path pidFile, CommandExecutor ordinary);

  /** An ordinary container, as stock launches it. */
  static PlannedLaunch ordinary() {
    return (pidFile, ordinary) -> ordinary;
  }
}
