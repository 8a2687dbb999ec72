// SPDX-License-Identifier: Apache-2.0
/**
 * Many nodes: the command is carried to each through ssh, runs there as on a single node, and its
 * lines come back. No state is kept here: each node knows itself what was done to it, so that the
 * same command again goes on where the last one ended. A thread for each host of a batch.
 */
package org.mammoth.upgrade.fleet;
