// SPDX-License-Identifier: Apache-2.0
/**
 * The cache's master without its daemon: slaves' reports in, orders out. {@code MasterState} has
 * one lock for everything in here and in {@code policy} and the master's part of {@code space};
 * under it nothing waits, and {@code BlockResolver}'s look-ups must be in memory. The other classes
 * are guarded by it or immutable.
 */
package org.mammoth.mpcache.master;
