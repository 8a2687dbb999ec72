// SPDX-License-Identifier: Apache-2.0
/**
 * The SSD cache's slave inside a DataNode: finds copies, fills them from replicas while nobody
 * reads, lends room to engines, and reports to the master. {@code Slave} puts it together.
 *
 * <p>Readers' threads do a look-up and an open. Fills, the heartbeat and the room's sockets have
 * threads of their own, all daemons. No lock is held while a replica or a copy is read or written.
 * It begins and ends with the DataNode's data set.
 */
package org.mammoth.hdfs.slave;
