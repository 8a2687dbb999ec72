// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Tells errors of a device from those of this process, which speak against no copy and no SSD. */
final class DeviceErrors {

  /** What the system says to a process, or on a host, that has no descriptor left. */
  private static final String NO_DESCRIPTORS = "Too many open files";

  private DeviceErrors() {}

  /** Whether the device may be to blame, and neither a lack of descriptors nor an interrupt is. */
  static boolean isOfDevice(IOException e) {
    return !(e instanceof ClosedByInterruptException)
        && !String.valueOf(e.getMessage()).contains(NO_DESCRIPTORS);
  }
}
