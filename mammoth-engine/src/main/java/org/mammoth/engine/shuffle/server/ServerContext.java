// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.security.SecureRandom;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.mammoth.engine.shuffle.SecretProvider;

/** What the connections of one server share. Any thread. */
final class ServerContext {

  /** A connection on which a client said something more lately than this is not idle. */
  private static final long IDLE = TimeUnit.MILLISECONDS.toNanos(500);

  private final ServerSettings settings;
  private final SecretProvider secrets;
  private final SegmentSource source;
  private final Pusher pusher;
  private final Readers readers;
  private final LongSupplier nanos;
  private final MemoryBudget budget;
  private final SecureRandom random = new SecureRandom();
  private final long instance = random.nextLong();
  private final Semaphore free;
  private final ConcurrentHashMap<ServerConnection, Boolean> connections =
      new ConcurrentHashMap<>();

  ServerContext(
      ServerSettings settings,
      SecretProvider secrets,
      SegmentSource source,
      Pusher pusher,
      Readers readers,
      LongSupplier nanos) {
    this.settings = settings;
    this.secrets = secrets;
    this.source = source;
    this.pusher = pusher;
    this.readers = readers;
    this.nanos = nanos;
    this.budget = new MemoryBudget(settings.totalBytes());
    this.free = new Semaphore(settings.limits().connections());
  }

  /** Takes a place, perhaps that of the connection that was idle longest; false if none is. */
  boolean enter(ServerConnection connection) {
    if (!free.tryAcquire() && !makeRoom()) {
      return false;
    }
    connections.put(connection, true);
    return true;
  }

  private boolean makeRoom() {
    long before = nanos() - IDLE;
    while (true) {
      ServerConnection idlest =
          connections.keySet().stream()
              .filter(each -> each.isIdleSince(before))
              .min(Comparator.comparingLong(ServerConnection::lastUsed))
              .orElse(null);
      if (idlest == null) {
        return false;
      }
      // Whoever removes it has its place.
      if (connections.remove(idlest) != null) {
        idlest.makeRoom();
        return true;
      }
    }
  }

  void leave(ServerConnection connection) {
    if (connections.remove(connection) != null) {
      free.release();
    }
  }

  void forEach(Consumer<ServerConnection> action) {
    connections.keySet().forEach(action);
  }

  int connections() {
    return connections.size();
  }

  /** As {@link System#nanoTime}. */
  long nanos() {
    return nanos.getAsLong();
  }

  ServerSettings settings() {
    return settings;
  }

  SecretProvider secrets() {
    return secrets;
  }

  SegmentSource source() {
    return source;
  }

  Pusher pusher() {
    return pusher;
  }

  Readers readers() {
    return readers;
  }

  MemoryBudget budget() {
    return budget;
  }

  SecureRandom random() {
    return random;
  }

  long instance() {
    return instance;
  }
}
