// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

/**
 * A read of a block, told to the master.
 *
 * @param key what was read
 * @param reader the job that reads, or "" without one
 * @param hit whether the cache served it
 */
public record AccessEvent(BlockKey key, String reader, boolean hit) {}
