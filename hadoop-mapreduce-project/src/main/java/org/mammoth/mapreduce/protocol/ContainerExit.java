// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/**
 * How a container's program ended.
 *
 * @param containerId which
 * @param kind who is to blame
 * @param exitCode as a process would have left it; {@link ContainerExitStatus#ABORTED} unless the
 *     kind is {@link EndKind#PROGRAM} or {@link EndKind#PROGRAM_WITH_NEED}
 * @param diagnostics for people, may be empty; of {@link EndKind#PROGRAM_WITH_NEED} the need is the
 *     last line
 */
public record ContainerExit(String containerId, EndKind kind, int exitCode, String diagnostics) {

  /** An end of which nothing is known but the status. */
  public ContainerExit(String containerId, int exitCode, String diagnostics) {
    this(
        containerId,
        exitCode == ContainerExitStatus.ABORTED ? EndKind.ABORTED : EndKind.PROGRAM,
        exitCode,
        diagnostics);
  }

  /**
   * An end of the program itself, which has reached what it needs a process for and has gone on.
   *
   * @param why it ended so, empty if the exit status says all
   * @param need one line
   */
  public static ContainerExit withNeed(String containerId, int exitCode, String why, String need) {
    String told = exitCode == 0 || why.isEmpty() ? need : why + '\n' + need;
    return new ContainerExit(containerId, EndKind.PROGRAM_WITH_NEED, exitCode, told);
  }

  /** What it needs a process for, where the kind {@link EndKind#tellsNeed tells} that. */
  public String need() {
    return kind == EndKind.PROGRAM_WITH_NEED
        ? diagnostics.substring(diagnostics.lastIndexOf('\n') + 1)
        : diagnostics;
  }
}
