// SPDX-License-Identifier: Apache-2.0
/**
 * The SSD cache's master inside the active NameNode: a plug-in with an RPC port of its own, an
 * audit logger that learns jobs' inputs, and the look-ups that tell which data set a block is of.
 *
 * <p>Handlers of that port call in; one timer notices silent slaves. The namesystem's read lock is
 * taken for a few hundred blocks at a time and for nothing that waits. Under the monitor of the
 * state ({@code org.mammoth.mpcache.master.MasterState}) only such look-ups are made. A failure is
 * logged; the NameNode goes on.
 */
package org.mammoth.hdfs.master;
