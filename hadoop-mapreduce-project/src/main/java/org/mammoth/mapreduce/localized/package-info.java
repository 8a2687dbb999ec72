// SPDX-License-Identifier: Apache-2.0
/**
 * Room on SSD for an engine's spills and map output, asked of the DataNode's cache on this node
 * over a Unix socket. {@code SlaveSpace} holds its monitor while it waits for the answer, two
 * seconds at most; the I/O scheduler's threads call it.
 */
package org.mammoth.mapreduce.localized;
