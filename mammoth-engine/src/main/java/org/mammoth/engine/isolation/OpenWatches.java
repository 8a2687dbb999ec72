// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.IOException;
import java.nio.file.WatchService;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The watch services that a process has opened: each has a thread of the JDK's that ends only when
 * its service is closed. Thread-safe.
 */
public final class OpenWatches {
  private final Map<WatchService, Boolean> open = Collections.synchronizedMap(new WeakHashMap<>());

  /** Notes a service that the process has opened, and returns it. */
  public WatchService opened(WatchService service) {
    open.put(service, true);
    return service;
  }

  /** Closes those that are open, as the end of a process does. */
  void close() {
    for (WatchService each : List.copyOf(open.keySet())) {
      try {
        each.close();
      } catch (IOException | RuntimeException itsThreadShowsIt) {
        continue;
      }
    }
    open.clear();
  }
}
