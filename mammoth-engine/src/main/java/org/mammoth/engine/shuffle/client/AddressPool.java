// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.ShuffleException;

/**
 * The connections to one address: few, shared by all jobs and reduces, opened when needed. An
 * address that turned out not to be ours is left alone for long, one that cannot be reached for a
 * while, and one that is only busy for a moment. Any thread.
 *
 * <p>Who accepts and says nothing, or closes at once, may be an engine that has no time, or another
 * program. An address that has ever greeted is an engine; another one counts as foreign when it
 * goes on like this, though it was given twice the time with each try.
 */
final class AddressPool implements ClientConnection.Watcher {

  /** Tries that an address which has never greeted may pass in silence: 62 s by default. */
  private static final int SILENCES = 5;

  /** Tries that such an address may close at once. */
  private static final int CLOSES = 3;

  /** The longest pause for one that is busy, as a multiple of the shortest pause. */
  private static final int BUSY_PAUSES = 10;

  /** Opens a connection. */
  interface Opener {
    /** Starts to connect and returns at once; the other side has so long to greet. */
    ClientConnection open(long patienceMs);
  }

  private final Opener opener;
  private final ClientSettings settings;
  private final Scheduler scheduler;
  private final List<ClientConnection> connections = new ArrayList<>();
  private ShuffleException lastFailure;
  private long retryAt;
  private long pause;
  private boolean greetedOnce;
  private int silences;

  /** How often its patience was doubled, because it was not in time. */
  private int lateness;

  private int closes;

  AddressPool(Opener opener, ClientSettings settings, Scheduler scheduler) {
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
    ClientConnection opened;
    synchronized (this) {
      ClientConnection shared = reserved();
      if (shared != null) {
        return shared.greeted();
      }
      if (lastFailure != null && scheduler.nanoTime() - retryAt < 0) {
        return CompletableFuture.failedFuture(lastFailure);
      }
      opened = opener.open(settings.patience().probe() << lateness);
      opened.reserve();
      opened.watch(this);
      connections.add(opened);
    }
    return opened
        .greeted()
        .handle(
            (connection, failure) -> {
              ShuffleException why = outcome(opened, failure);
              if (why != null) {
                throw new CompletionException(why);
              }
              return opened;
            });
  }

  /** The connection to share, or null if a new one is due. */
  private ClientConnection reserved() {
    connections.removeIf(ClientConnection::ended);
    List<ClientConnection> usable =
        connections.stream().filter(connection -> !connection.isWorn()).toList();
    ClientConnection best =
        usable.stream().min(Comparator.comparingInt(ClientConnection::load)).orElse(null);
    if (best == null || best.load() > 0 && usable.size() < settings.connectionsPerNode()) {
      return null;
    }
    return best.reserve() ? best : null;
  }

  private synchronized ShuffleException outcome(ClientConnection connection, Throwable failure) {
    if (failure == null) {
      greetedOnce = true;
      silences = 0;
      lateness = 0;
      closes = 0;
      lastFailure = null;
      return null;
    }
    ShuffleException why = judged(connection, unwrap(failure));
    leaveAlone(why);
    return why;
  }

  /** Tells who was busy from who is foreign. */
  private ShuffleException judged(ClientConnection connection, ShuffleException failure) {
    boolean foreign = false;
    if (connection.wasLate()) {
      lateness = Math.min(lateness + 1, SILENCES - 1);
    }
    if (!greetedOnce && connection.wasSilent()) {
      foreign = ++silences >= SILENCES;
    } else if (!greetedOnce && connection.wasClosedAtOnce()) {
      foreign = ++closes >= CLOSES;
    }
    if (!foreign) {
      return failure;
    }
    silences = 0;
    closes = 0;
    return new ShuffleException(
        Reason.NOT_OURS, failure.getMessage() + ", time and again: it is no Mammoth shuffle");
  }

  @Override
  public synchronized void busy(ShuffleException why) {
    leaveAlone(why);
  }

  private void leaveAlone(ShuffleException why) {
    lastFailure = why;
    ClientSettings.Patience patience = settings.patience();
    boolean foreign = why.reason() == Reason.NOT_OURS || why.reason() == Reason.TLS;
    long longest =
        why.reason() == Reason.BUSY
            ? Math.min(patience.reconnectMax(), BUSY_PAUSES * patience.reconnectMin())
            : patience.reconnectMax();
    long wait = foreign ? patience.negative() : Math.min(pause, longest);
    retryAt = scheduler.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
    pause = Math.min(pause * 2, patience.reconnectMax());
  }

  @Override
  public synchronized void useful() {
    pause = settings.patience().reconnectMin();
  }

  /** Connections that are open or being opened. */
  synchronized int size() {
    connections.removeIf(ClientConnection::ended);
    return connections.size();
  }

  synchronized List<ClientConnection> all() {
    return List.copyOf(connections);
  }

  /** Whether there is no connection, and no failure that keeps others from trying. */
  synchronized boolean isForgettable() {
    return size() == 0 && (lastFailure == null || scheduler.nanoTime() - retryAt >= 0);
  }

  static ShuffleException unwrap(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ShuffleException known
        ? known
        : new ShuffleException(Reason.UNREACHABLE, String.valueOf(cause), cause);
  }
}
