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
 * @param diagnostics for people, may be empty
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
}
