// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.mammoth.engine.levitated.MergeChoice;
import org.mammoth.engine.shuffle.FetchException;
import org.mammoth.engine.shuffle.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Map output of other nodes for one reduce attempt (Mammoth paper, Shi et al. 2015, §3.4): taken as
 * engines push it, fetched from them where it was not pushed, and left to upstream's fetchers where
 * neither works.
 *
 * <p>What was pushed is tentative until a completion event names its map attempt; nothing of an
 * attempt that was not named, or is obsolete, reaches the reduce. All methods but those of {@link
 * PushedSegments.Arrivals} are for the reduce's thread.
 */
final class RemoteOutputs implements PushedSegments.Arrivals {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteOutputs.class);

  /** Tries to fetch a segment before it is left to upstream's fetchers. */
  private static final int TRIES = 4;

  /** A busy node is asked again after eight of the shortest pauses at the latest. */
  private static final int LONGEST_BUSY_SHIFT = 3;

  /** Tries of one output, or of one node, that may bring nothing until they time out. */
  private static final int SILENT_TRIES = 2;

  /** What becomes of map outputs. */
  interface Reduce {
    /** All of the output that an event named is here. */
    void arrived(TaskCompletionEvent event, Arrival arrival) throws IOException;

    /** The header of an output that stays at its source is here. */
    void levitated(TaskCompletionEvent event, LevitatedOutput output);

    /**
     * The output of an attempt is not wanted any more.
     *
     * @return whether it had come, and its map's next output takes its place
     */
    boolean dropped(TaskAttemptID id);

    /** The output is to be fetched in the stock way. */
    void leaveToStock(TaskCompletionEvent event);

    /** This node's own disk failed. */
    void failed(IOException failure);
  }

  /** An output that an event has named. */
  private static final class Wanted {
    private final TaskCompletionEvent event;
    private final RemoteNode node;
    private Bringing pull;

    /** It does not stay at its source, which compares it with no checksum. */
    private boolean comesWhole;

    private int tries;
    private int silentTries;
    private long triedAt;
    private long receivedBefore;
    private boolean queued;

    /** Since when its node has been busy; meaningful while {@link #busyTries} are counted. */
    private long busySince;

    private int busyTries;

    Wanted(TaskCompletionEvent event, RemoteNode node) {
      this.event = event;
      this.node = node;
    }

    String attempt() {
      return event.getTaskAttemptId().toString();
    }
  }

  private final RemoteLink link;
  private final ReceiveStore store;
  private final Reduce reduce;

  /** Null where nothing stays at its source. */
  private final Levitation levitation;

  private final MergeChoice choice;

  private final Map<String, RemoteNode> nodes = new HashMap<>();
  private final Subscriptions subscriptions;
  private final Map<String, Wanted> wanted = new HashMap<>();
  private final Set<TaskID> taken = new HashSet<>();
  private final Deque<Wanted> queue = new ArrayDeque<>();
  private int pulling;

  /** By map attempt. */
  private final Map<String, Arrival> arrivals = new ConcurrentHashMap<>();

  /** The attempts of each map task of which something was offered or named. */
  private final Map<TaskID, Set<String>> attempts = new ConcurrentHashMap<>();

  /** Attempts of which nothing is accepted any more. */
  private final Set<String> closedAttempts = ConcurrentHashMap.newKeySet();

  /** The attempt that was named for each map task. */
  private final Map<TaskID, String> named = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /** Nothing stays at its source. */
  RemoteOutputs(RemoteLink link, ReceiveStore store, Reduce reduce) {
    this(link, store, reduce, null, MergeChoice.nothingStays());
  }

  /**
   * As the other.
   *
   * @param levitation keeps what stays at its source; null if nothing does
   * @param choice whether everything stays there, instead of what finds no memory
   */
  RemoteOutputs(
      RemoteLink link,
      ReceiveStore store,
      Reduce reduce,
      Levitation levitation,
      MergeChoice choice) {
    this.link = link;
    this.store = store;
    this.reduce = reduce;
    this.levitation = levitation;
    this.choice = choice;
    this.subscriptions = new Subscriptions(link, this);
  }

  /**
   * A map attempt on another node has succeeded.
   *
   * @return false if its output is not to be had here and nothing is done about it
   */
  boolean succeeded(TaskCompletionEvent event) {
    TaskAttemptID id = event.getTaskAttemptId();
    RemoteNode node = nodeOf(event);
    dropOthers(id);
    if (node == null || node.isStock()) {
      closeAttempt(id.toString());
      return false;
    }
    if (taken.contains(id.getTaskID()) || wanted.containsKey(id.toString())) {
      return true;
    }
    if (closedAttempts.contains(id.toString())) {
      // It was left to stock, or lost; an ApplicationMaster that restarts tells all events again.
      return false;
    }
    named.put(id.getTaskID(), id.toString());
    Wanted next = new Wanted(event, node);
    wanted.put(next.attempt(), next);
    look(next);
    return true;
  }

  private RemoteNode nodeOf(TaskCompletionEvent event) {
    URI url = URI.create(event.getTaskTrackerHttp());
    if (url.getHost() == null || url.getPort() < 0) {
      return null;
    }
    return nodes.computeIfAbsent(
        url.getHost() + ":" + url.getPort(),
        name ->
            new RemoteNode(
                link, link.peers().peer(url.getHost(), url.getPort()), subscriptions::subscribe));
  }

  /** So many bytes are one more of the reduce's segments, whatever node has it. */
  void sized(long partBytes) {
    boolean before = choice.leavesAll();
    choice.sized(partBytes);
    if (choice.leavesAll() && !before) {
      subscriptions.end();
    }
  }

  /** Another attempt of the map has won. */
  private void dropOthers(TaskAttemptID winner) {
    for (String attempt : attemptsOf(winner.getTaskID())) {
      if (!attempt.equals(winner.toString())) {
        lost(TaskAttemptID.forName(attempt));
      }
    }
  }

  private Set<String> attemptsOf(TaskID task) {
    return Set.copyOf(attempts.getOrDefault(task, Set.of()));
  }

  /** A map attempt has failed, was killed, or its output is obsolete. */
  void lost(TaskAttemptID id) {
    named.remove(id.getTaskID(), id.toString());
    Wanted gone = wanted.remove(id.toString());
    closeAttempt(id.toString());
    if (reduce.dropped(id)) {
      taken.remove(id.getTaskID());
    }
    if (gone != null && gone.pull != null) {
      gone.pull.cancel();
    }
  }

  /** A map has failed for good, and the job goes on without it. */
  void tipFailed(TaskID task) {
    attemptsOf(task).forEach(attempt -> lost(TaskAttemptID.forName(attempt)));
  }

  private void closeAttempt(String attempt) {
    closedAttempts.add(attempt);
    arrivals.computeIfPresent(
        attempt,
        (name, arrival) -> {
          drop(arrival);
          return null;
        });
  }

  private static void drop(ReduceInput arrival) {
    if (arrival == null) {
      return;
    }
    try {
      arrival.close();
    } catch (IOException e) {
      LOG.info("What is left of {} goes with the application's folder", arrival.name(), e);
    }
  }

  @Override
  public Arrival admit(String mapAttempt) {
    TaskID task;
    try {
      task = TaskAttemptID.forName(mapAttempt).getTaskID();
    } catch (IllegalArgumentException e) {
      return null;
    }
    String winner = named.get(task);
    if (closed || winner != null && !winner.equals(mapAttempt)) {
      return null;
    }
    attempts.computeIfAbsent(task, name -> ConcurrentHashMap.newKeySet()).add(mapAttempt);
    if (winner == null) {
      link.hints().accept(mapAttempt);
    }
    // In one step with what closeAttempt does, so that nothing comes after it.
    Arrival admitted =
        arrivals.compute(
            mapAttempt,
            (name, arrival) ->
                closedAttempts.contains(name)
                    ? null
                    : arrival == null ? new Arrival(name, store) : arrival);
    if (admitted != null && closed) {
      closeAttempt(mapAttempt);
      return null;
    }
    return admitted;
  }

  /** What is known of an attempt's output that was not taken yet; null if nothing is. */
  Arrival find(String mapAttempt) {
    return arrivals.get(mapAttempt);
  }

  @Override
  public void changed(String mapAttempt) {
    link.inbox()
        .post(
            () -> {
              Wanted known = wanted.get(mapAttempt);
              if (known != null) {
                look(known);
              }
            });
  }

  /** Does what is to be done next for an output that was named. */
  private void look(Wanted next) {
    if (wanted.get(next.attempt()) != next || closed) {
      return;
    }
    Arrival arrival = admit(next.attempt());
    if (arrival == null) {
      return;
    }
    switch (arrival.state()) {
      case COMPLETE -> take(next, arrival);
      case IDLE -> {
        if (!next.queued && next.pull == null) {
          next.queued = true;
          next.node.whenKnown(engine -> known(next, engine));
        }
      }
      case DROPPED -> leave(next);
      case PUSHING -> watch(next, arrival);
      default -> {
        // under way, and watched by the client
      }
    }
  }

  /** A node that has pushed nothing for too long is asked for the segment instead. */
  private void watch(Wanted next, Arrival arrival) {
    // Whoever pushes it, which need not be the subscription to the node that the event names.
    if (!(arrival.pusher() instanceof PushedSegments pusher)) {
      changed(next.attempt());
      return;
    }
    long before = pusher.bytes();
    Runnable check =
        () -> {
          if (wanted.get(next.attempt()) != next || arrival.pusher() != pusher || closed) {
            return;
          }
          if (pusher.bytes() != before) {
            watch(next, arrival);
            return;
          }
          LOG.info("{} has pushed nothing for {} ms", next.node, link.options().stallMs());
          subscriptions.end(pusher);
        };
    link.clock().after(link.options().stallMs(), () -> link.inbox().post(check));
  }

  /** The node has answered; null if no engine serves there. */
  private void known(Wanted next, InetSocketAddress engine) {
    next.queued = false;
    if (wanted.get(next.attempt()) != next || closed) {
      return;
    }
    if (engine == null) {
      leave(next);
      return;
    }
    next.queued = true;
    queue.add(next);
    pump();
  }

  private void pump() {
    while (pulling < link.options().pulls() && !queue.isEmpty()) {
      Wanted next = queue.poll();
      next.queued = false;
      if (wanted.get(next.attempt()) == next && !closed) {
        pull(next);
      }
    }
  }

  private void pull(Wanted next) {
    if (next.node.isStock()) {
      leave(next);
      return;
    }
    Arrival arrival = admit(next.attempt());
    if (arrival == null) {
      return;
    }
    // What was pushed in part is fetched to its end: it has memory already.
    if (choice.leavesAll() && arrival.received() == 0 && !next.comesWhole) {
      levitate(next, arrival);
      return;
    }
    Pull pull =
        new Pull(
            arrival,
            link.inbox(),
            link.options().windowBytes(),
            levitation != null && !next.comesWhole,
            reduce::failed);
    if (!arrival.startPull(pull)) {
      look(next);
      return;
    }
    pulling++;
    next.tries++;
    next.pull = pull;
    next.triedAt = link.clock().nanoTime();
    next.receivedBefore = arrival.received();
    pull.start(
        link.client(),
        next.node.engine(),
        link.key(next.attempt()),
        failure -> ended(next, arrival, pull, failure));
  }

  /** Leaves an output at its source and fetches its header; all of a node's go together. */
  private void levitate(Wanted next, Arrival arrival) {
    if (!arrival.startPull(next)) {
      look(next);
      return;
    }
    next.tries++;
    next.triedAt = link.clock().nanoTime();
    next.receivedBefore = arrival.received();
    next.pull =
        levitation.header(
            next.node,
            next.event.getTaskTrackerHttp(),
            next.attempt(),
            (output, failure) -> headerEnded(next, arrival, output, failure));
  }

  private void headerEnded(
      Wanted next, Arrival arrival, LevitatedOutput output, Throwable failure) {
    next.pull = null;
    if (wanted.get(next.attempt()) != next || closed) {
      drop(output);
    } else if (failure instanceof ComesWholeException) {
      arrival.stopped(next);
      next.comesWhole = true;
      look(next);
    } else if (failure != null) {
      arrival.stopped(next);
      again(next, arrival, failure);
    } else {
      settled(next);
      closeAttempt(next.attempt());
      reduce.levitated(next.event, output);
    }
  }

  private void ended(Wanted next, Arrival arrival, Pull pull, Throwable failure) {
    pulling--;
    next.pull = null;
    if (wanted.get(next.attempt()) == next && !closed) {
      if (pull.refused()) {
        arrival.stopped(pull);
        levitate(next, arrival);
      } else if (failure == null) {
        arrival.completed(pull);
        take(next, arrival);
      } else {
        arrival.stopped(pull);
        again(next, arrival, failure);
      }
    }
    pump();
  }

  private void again(Wanted next, Arrival arrival, Throwable failure) {
    Reason reason = failure instanceof FetchException known ? known.reason() : Reason.OTHER;
    if (reason == Reason.BUSY && isPatient(next)) {
      next.tries--;
      lookAfter(next, link.options().pauseMs() << Math.min(next.busyTries++, LONGEST_BUSY_SHIFT));
      return;
    }
    next.busyTries = 0;
    LOG.info("{} (try {} of {})", failure.getMessage(), next.tries, TRIES);
    boolean elsewhere =
        switch (reason) {
          // Its port may belong to another process by now, or another engine took its place.
          case CUT, SHUTDOWN, UNREACHABLE, NOT_OURS, TIMEOUT, UNKNOWN_JOB -> true;
          default -> false;
        };
    boolean silent = reason == Reason.TIMEOUT && arrival.received() == next.receivedBefore;
    boolean tooSilent = silent && isTooSilent(next, failure);
    if (elsewhere) {
      next.node.doubt();
    } else if (RemoteNode.isForGood(reason)) {
      next.node.leaveToStock(failure);
    }
    boolean changed = reason == Reason.CHANGED;
    boolean useless = !reason.retriable() && !changed && !elsewhere;
    if (next.tries >= TRIES || tooSilent || useless) {
      leave(next);
      return;
    }
    if (changed) {
      try {
        arrival.restart();
      } catch (IOException e) {
        reduce.failed(e);
        return;
      }
    }
    lookAfter(next, link.options().pauseMs() << next.tries - 1);
  }

  private void lookAfter(Wanted next, long pauseMs) {
    link.clock().after(pauseMs, () -> link.inbox().post(() -> look(next)));
  }

  /** Whether a busy node is asked again, without counting it as a try. */
  private boolean isPatient(Wanted next) {
    long now = link.clock().nanoTime();
    if (next.busyTries == 0) {
      next.busySince = now;
    }
    return now - next.busySince < TimeUnit.MILLISECONDS.toNanos(link.options().busyMs());
  }

  /** Whether an output whose try brought nothing until it timed out, or its node, is given up. */
  private boolean isTooSilent(Wanted next, Throwable failure) {
    next.silentTries++;
    if (next.node.wasSilent(next.triedAt) >= SILENT_TRIES) {
      // Each of its outputs would wait as long, and keep those of other nodes waiting.
      next.node.leaveToStock(failure);
      subscriptions.unsubscribe(next.node);
    }
    return next.silentTries >= SILENT_TRIES || next.node.isStock();
  }

  private void take(Wanted next, Arrival arrival) {
    try {
      if (!arrival.seal()) {
        LOG.warn("{} from {} does not fit its checksum", next.attempt(), next.node);
        leave(next);
        return;
      }
      settled(next);
      arrivals.remove(next.attempt());
      reduce.arrived(next.event, arrival);
    } catch (IOException e) {
      drop(arrival);
      reduce.failed(e);
    }
  }

  private void settled(Wanted next) {
    wanted.remove(next.attempt());
    taken.add(next.event.getTaskAttemptId().getTaskID());
    closedAttempts.add(next.attempt());
    next.node.gave();
    subscriptions.subscribeAgain(next.node);
  }

  private void leave(Wanted next) {
    wanted.remove(next.attempt());
    closeAttempt(next.attempt());
    reduce.leaveToStock(next.event);
  }

  /** Ends all that is under way and drops what was not taken. Safe to call twice. */
  void close() {
    closed = true;
    subscriptions.end();
    List<Wanted> open = new ArrayList<>(wanted.values());
    wanted.clear();
    Consumer<Wanted> cancel =
        each -> {
          if (each.pull != null) {
            each.pull.cancel();
          }
        };
    open.forEach(cancel);
    arrivals.keySet().forEach(this::closeAttempt);
  }
}
