// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.ShuffleException;

/**
 * The connections that one client may have open at once, to all addresses together. When all places
 * are taken, the connection that has been idle longest is torn down for a new one, and comes back
 * when it is needed (Hadoop-A paper, Yu et al. 2013, §4.2). Any thread.
 */
final class ClientPlaces {

  /** A connection over which something came more lately than this is not idle. */
  private static final long IDLE = TimeUnit.MILLISECONDS.toNanos(500);

  private final int most;
  private final Scheduler scheduler;
  private final Set<ClientConnection> taken = new HashSet<>();

  ClientPlaces(int most, Scheduler scheduler) {
    this.most = most;
    this.scheduler = scheduler;
  }

  /** Takes a place, perhaps another connection's; false if all are in use. */
  synchronized boolean enter(ClientConnection connection) {
    if (taken.size() >= most) {
      taken.removeIf(ClientConnection::ended);
    }
    if (taken.size() >= most) {
      long before = scheduler.nanoTime() - IDLE;
      ClientConnection idlest =
          taken.stream()
              .filter(each -> each.isIdleSince(before))
              .min(Comparator.comparingLong(ClientConnection::lastUsed))
              .orElse(null);
      if (idlest == null) {
        return false;
      }
      taken.remove(idlest);
      idlest.giveUpIfIdle(
          new ShuffleException(
              Reason.BUSY, "the idle connection to " + idlest.peer() + " made room for another"));
    }
    taken.add(connection);
    return true;
  }

  /** All connections that have a place. */
  synchronized List<ClientConnection> all() {
    return List.copyOf(taken);
  }
}
