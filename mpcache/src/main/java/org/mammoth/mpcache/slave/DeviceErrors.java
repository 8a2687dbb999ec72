// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;

/**
 * Tells errors of a device from those of this process and from a lack of room, which speak against
 * no copy and no SSD.
 */
final class DeviceErrors {

  /** What the system says to a process, or on a host, that has no descriptor left. */
  private static final String NO_DESCRIPTORS = "Too many open files";

  /** What the system says where bytes or inodes have run out, or what its user may have of them. */
  private static final List<String> FULL =
      List.of("No space left on device", "Disk quota exceeded");

  private DeviceErrors() {}

  /** Whether there is no room, however many bytes the device says it has. */
  static boolean isFull(IOException e) {
    String text = String.valueOf(e.getMessage());
    return FULL.stream().anyMatch(text::contains);
  }

  /** Whether the device may be to blame: no lack of room or of descriptors is, nor an interrupt. */
  static boolean isOfDevice(IOException e) {
    return !(e instanceof ClosedByInterruptException)
        && !isFull(e)
        && !String.valueOf(e.getMessage()).contains(NO_DESCRIPTORS);
  }
}
