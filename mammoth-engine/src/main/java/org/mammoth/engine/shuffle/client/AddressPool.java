package org.mammoth.engine.shuffle.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.ShuffleException;

/**
 * The connections to one address: few, shared by all jobs and reduces, opened when needed. An
 * address that turned out not to be ours, or that cannot be reached, is left alone for a while. Any
 * thread.
 */
final class AddressPool {

  private final Supplier<ClientConnection> opener;
  private final ClientSettings settings;
  private final Scheduler scheduler;
  private final List<ClientConnection> connections = new ArrayList<>();
  private ShuffleException lastFailure;
  private long retryAt;
  private long pause;

  /** {@code opener} starts to connect and returns at once. */
  AddressPool(Supplier<ClientConnection> opener, ClientSettings settings, Scheduler scheduler) {
    this.opener = opener;
    this.settings = settings;
    this.scheduler = scheduler;
    this.pause = settings.patience().reconnectMin();
  }

  /**
   * A greeted connection, with one stream counted in its load. Fails at once with the last failure
   * while the address is left alone.
   */
  CompletableFuture<ClientConnection> acquire() {
    ClientConnection chosen;
    boolean isNew = false;
    synchronized (this) {
      chosen = reserved();
      if (chosen == null) {
        if (lastFailure != null && scheduler.nanoTime() - retryAt < 0) {
          return CompletableFuture.failedFuture(lastFailure);
        }
        chosen = opener.get();
        chosen.reserve();
        connections.add(chosen);
        isNew = true;
      }
    }
    if (isNew) {
      chosen.greeted().whenComplete(this::outcome);
    }
    return chosen.greeted();
  }

  /** The connection to share, or null if a new one is due. */
  private ClientConnection reserved() {
    connections.removeIf(ClientConnection::ended);
    ClientConnection best =
        connections.stream().min(Comparator.comparingInt(ClientConnection::load)).orElse(null);
    if (best == null || best.load() > 0 && connections.size() < settings.connectionsPerNode()) {
      return null;
    }
    return best.reserve() ? best : null;
  }

  private synchronized void outcome(ClientConnection connection, Throwable failure) {
    if (failure == null) {
      lastFailure = null;
      pause = settings.patience().reconnectMin();
      return;
    }
    lastFailure = unwrap(failure);
    boolean foreign = lastFailure.reason() == Reason.NOT_OURS || lastFailure.reason() == Reason.TLS;
    long wait = foreign ? settings.patience().negative() : pause;
    retryAt = scheduler.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
    pause = Math.min(pause * 2, settings.patience().reconnectMax());
  }

  /** Connections that are open or being opened. */
  synchronized int size() {
    connections.removeIf(ClientConnection::ended);
    return connections.size();
  }

  synchronized List<ClientConnection> all() {
    return List.copyOf(connections);
  }

  static ShuffleException unwrap(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ShuffleException known
        ? known
        : new ShuffleException(Reason.UNREACHABLE, String.valueOf(cause), cause);
  }
}
