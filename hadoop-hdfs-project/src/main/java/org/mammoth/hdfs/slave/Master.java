// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.io.IOException;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.SlaveReport;

/** A NameNode's master, as a slave asks it. Safe for any thread. */
interface Master {

  /**
   * Reports.
   *
   * @param epoch of the youngest master this slave has heard of
   * @throws IOException if it is on standby, or does not answer; it may have taken the report in
   */
  MasterReply report(long epoch, SlaveReport report) throws IOException;

  /**
   * Asks what may leave.
   *
   * @throws IOException if it does not answer; it may have booked that something leaves
   */
  MasterReply makeRoom(String slave, long bytes) throws IOException;

  /** Ends the connection. */
  void close();
}
