// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which containers an engine has, which have ended and wait for the NodeManager to take note, and
 * which may never start. A container is started once at most, whatever arrives twice or late.
 * Thread-safe; nothing is made or started under its lock.
 *
 * @param <B> what runs in a container
 */
public final class ContainerTable<B extends ContainerTable.Body> {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerTable.class);

  /** Calls that are late by more containers than this do not happen. */
  private static final int REMEMBERED = 10_000;

  /** What runs in a container. */
  interface Body {

    ContainerLife life();

    /** Begins on a thread of its own; nothing of it runs if this throws. */
    void start();

    /** Frees what it holds; it was made and never started. */
    void discard();
  }

  /** Makes bodies. */
  interface Maker<B> {
    B make() throws DeclinedException;
  }

  /** The engine cannot host a container; the message says why. */
  static final class DeclinedException extends Exception {
    private static final long serialVersionUID = 1L;

    DeclinedException(String why) {
      super(why);
    }
  }

  private static final class Place<B> {
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private B body;
    private boolean started;
  }

  private final LongSupplier nanos;

  @GuardedBy("this")
  private final Map<String, Place<B>> places = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<String, ContainerExit> ended = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Set<String> reported = new HashSet<>();

  @GuardedBy("this")
  private final Set<String> past = remembering();

  @GuardedBy("this")
  private final Set<String> withdrawn = remembering();

  @GuardedBy("this")
  private String drainReason = "";

  /**
   * @param nanos as {@link System#nanoTime}
   */
  ContainerTable(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private static Set<String> remembering() {
    return Collections.newSetFromMap(LatestMap.byAge(REMEMBERED));
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#launch}. */
  String launch(String containerId, Maker<B> maker) {
    Place<B> place = new Place<>();
    Place<B> there;
    synchronized (this) {
      if (ended.containsKey(containerId)) {
        return "";
      }
      if (past.contains(containerId)) {
        return "it has run here before";
      }
      if (withdrawn.contains(containerId)) {
        return "the NodeManager has given it up before";
      }
      there = places.get(containerId);
      if (there == null) {
        if (!drainReason.isEmpty()) {
          return EngineProtocol.DRAINING + drainReason;
        }
        places.put(containerId, place);
      }
    }
    return there == null ? begin(containerId, place, maker) : there.answer.join();
  }

  private String begin(String containerId, Place<B> place, Maker<B> maker) {
    String declined = "it failed to start it";
    B body = null;
    try {
      body = maker.make();
      synchronized (this) {
        place.body = body;
      }
      body.start();
      synchronized (this) {
        place.started = true;
      }
      declined = "";
    } catch (DeclinedException e) {
      declined = whyDeclined(e);
    } catch (RuntimeException | Error e) {
      LOG.error("{} could not be started", containerId, e);
      declined = "it failed to start it: " + e;
    } finally {
      if (!declined.isEmpty()) {
        remove(containerId, place);
        discard(body);
      }
      place.answer.complete(declined);
    }
    return declined;
  }

  /** A container may be what shows that the engine is to take no more. */
  private synchronized String whyDeclined(DeclinedException declined) {
    return drainReason.isEmpty() ? declined.getMessage() : EngineProtocol.DRAINING + drainReason;
  }

  private void discard(B body) {
    if (body != null) {
      try {
        body.discard();
      } catch (RuntimeException | Error e) {
        LOG.error("{} was not started, and not all it held is free", body, e);
      }
    }
  }

  private synchronized void remove(String containerId, Place<B> place) {
    places.remove(containerId, place);
    notifyAll();
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#withdraw}. */
  boolean withdraw(String containerId) {
    Place<B> there;
    synchronized (this) {
      if (past.contains(containerId)) {
        return true;
      }
      there = places.get(containerId);
      if (there == null) {
        withdrawn.add(containerId);
        return false;
      }
    }
    if (there.answer.join().isEmpty()) {
      return true;
    }
    synchronized (this) {
      withdrawn.add(containerId);
    }
    return false;
  }

  /** The body of a container that has not ended; null if there is none. */
  synchronized B find(String containerId) {
    Place<B> place = places.get(containerId);
    return place == null ? null : place.body;
  }

  /** Containers that have not ended, oldest first. */
  synchronized List<B> running() {
    List<B> all = new ArrayList<>();
    for (Place<B> place : places.values()) {
      if (place.body != null) {
        all.add(place.body);
      }
    }
    return all;
  }

  synchronized int runningCount() {
    return places.size();
  }

  /** Notes an end, which is told to the NodeManager until it has taken note. */
  synchronized void ended(ContainerExit exit) {
    places.remove(exit.containerId());
    past.add(exit.containerId());
    ended.put(exit.containerId(), exit);
    notifyAll();
  }

  /** Takes no more; the first reason counts. Whether this was the first. */
  synchronized boolean drain(String reason) {
    if (!drainReason.isEmpty()) {
      return false;
    }
    drainReason = reason;
    notifyAll();
    return true;
  }

  /** Why it takes no more; empty while it does. */
  synchronized String drainReason() {
    return drainReason;
  }

  /** Whether it takes no more, has none, and the NodeManager has taken note of all. */
  synchronized boolean isOver() {
    return !drainReason.isEmpty() && places.isEmpty() && ended.isEmpty();
  }

  /** Waits until something has changed, or for {@code ms}. */
  synchronized void awaitChange(long ms) throws InterruptedException {
    if (!isOver()) {
      wait(ms);
    }
  }

  /** What a poll answers, but for the engine's state. */
  record Report(List<ContainerExit> exits, List<String> running, String drainReason) {}

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#poll}. */
  synchronized Report poll(String[] acknowledged, long waitMs) throws InterruptedException {
    for (String containerId : acknowledged) {
      ended.remove(containerId);
      reported.remove(containerId);
    }
    notifyAll();
    long deadline = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    for (long leftMs = waitMs;
        leftMs > 0 && reported.containsAll(ended.keySet());
        leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - nanos.getAsLong())) {
      wait(leftMs);
    }
    reported.addAll(ended.keySet());
    return new Report(List.copyOf(ended.values()), started(), drainReason);
  }

  /** Not those that may still be declined: the NodeManager would wait for their end for ever. */
  @GuardedBy("this")
  private List<String> started() {
    List<String> all = new ArrayList<>();
    places.forEach(
        (containerId, place) -> {
          if (place.started) {
            all.add(containerId);
          }
        });
    return all;
  }
}
