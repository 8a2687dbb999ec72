// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

/**
 * How this node's daemons are commanded where the defaults do not fit.
 *
 * @param restart a shell command that restarts the NodeManager; empty for Hadoop's own
 * @param probe a shell command that runs a small job; empty for Hadoop's example program
 */
public record LocalOptions(String restart, String probe) {}
