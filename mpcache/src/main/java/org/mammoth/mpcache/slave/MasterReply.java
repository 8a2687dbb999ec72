// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.util.List;

/**
 * A master's answer to a report.
 *
 * @param epoch of the master; the slave obeys the highest it has seen and no lower
 * @param orders in the order they are to be carried out
 * @param sendInventory whether the next report shall hold everything the slave has
 */
public record MasterReply(long epoch, List<Order> orders, boolean sendInventory) {

  /** What a slave is to do. */
  public sealed interface Order permits Fill, Evict {}

  /** Store a block. */
  public record Fill(BlockKey key) implements Order {}

  /** Drop whatever copy of a block there is. */
  public record Evict(String pool, long blockId) implements Order {}
}
