// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.util.List;
import org.mammoth.mpcache.space.SpaceReport;

/**
 * What a slave tells a master at each heartbeat.
 *
 * @param slave its name, the same after a restart
 * @param incarnation differs from that before each restart of the slave
 * @param space its allocation
 * @param accesses reads since the last report, in order
 * @param gone blocks it was told to store, or had, and does not have
 * @param inventory every copy it serves, if the master asked; null otherwise
 * @param droppedAccesses reads that were not reported as too many came at once
 */
public record SlaveReport(
    String slave,
    long incarnation,
    SpaceReport space,
    List<AccessEvent> accesses,
    List<BlockKey> gone,
    List<BlockKey> inventory,
    long droppedAccesses) {}
