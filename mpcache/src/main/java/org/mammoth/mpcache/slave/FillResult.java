// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

/** How the filling of one block ended. */
public enum FillResult {
  /** The copy is published. */
  FILLED,
  /** It was there already, or somebody else is filling it. */
  ALREADY,
  /** The Input Cache or the devices have no room. */
  NO_ROOM,
  /** The replica changed, is shorter or longer than its key says, or is gone. */
  STALE,
  /** The replica could not be read. */
  SOURCE_FAILED,
  /** The SSD could not be written, or gave back other bytes than were written. */
  DISK_FAILED,
  /** The thread was told to stop. */
  STOPPED
}
