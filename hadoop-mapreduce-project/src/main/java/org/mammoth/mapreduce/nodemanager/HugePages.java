// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether Linux gives huge pages to who asks for them (transparent huge pages). An engine's heap is
 * large and lasts: with them its memory is there in a fraction of the time, and fewer addresses
 * need translation. Stateless, thread-safe.
 */
final class HugePages {

  private static final Path SWITCH = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  private HugePages() {}

  /** Whether a JVM of this host gets them on request. */
  static boolean onRequest() {
    return onRequest(SWITCH);
  }

  /**
   * As {@link #onRequest()}, by the kernel's file, which has all choices and brackets around the
   * one that holds. The JVM warns of an option that is in vain.
   */
  static boolean onRequest(Path file) {
    try {
      String choices = Files.readString(file);
      return choices.contains("[madvise]") || choices.contains("[always]");
    } catch (IOException notLinux) {
      return false;
    }
  }
}
