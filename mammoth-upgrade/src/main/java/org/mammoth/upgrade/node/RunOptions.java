// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.time.Duration;

/**
 * How a run on a node behaves.
 *
 * @param drain how long engines have to end their tasks before the run gives up
 * @param health how long a restarted NodeManager has to become well
 * @param force end the tasks of engines that have not ended in time; their jobs run them again
 * @param turnBack put back what was before if the restarted NodeManager does not become well
 * @param probe whether to run a small job at the end
 */
public record RunOptions(
    Duration drain, Duration health, boolean force, boolean turnBack, boolean probe) {}
