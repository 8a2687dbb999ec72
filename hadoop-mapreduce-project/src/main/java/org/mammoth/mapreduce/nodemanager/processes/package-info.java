// SPDX-License-Identifier: Apache-2.0
/**
 * Processes of other users on a node, and what limits them: control groups, priority, users of the
 * system.
 */
package org.mammoth.mapreduce.nodemanager.processes;
