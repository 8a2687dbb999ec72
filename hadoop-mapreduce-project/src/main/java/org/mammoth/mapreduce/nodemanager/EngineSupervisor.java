// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.admission.DeathRegister;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.lifecycle.Pace;
import org.mammoth.mapreduce.nodemanager.sites.EngineSites;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EndKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one kind of engine of this node: at most one open engine per user, started on first use,
 * and those that are draining. Admits tasks to the engines' share of the node, keeps tasks that
 * died with two engines out of the next, stops engines that are idle.
 *
 * <p>Thread-safe. Its lock is taken before an engine's, and nothing under it waits: engines are
 * started, told and asked by threads of their own.
 */
final class EngineSupervisor implements ContainerTaker {

  private static final Logger LOG = LoggerFactory.getLogger(EngineSupervisor.class);

  private static final int SIGNAL_KILL = 9;
  private static final int SIGNAL_TERM = 15;
  private static final int KILLED_BY_SIGNAL = 128;

  /** How long a task waits for an engine that does not answer before it gets a process. */
  private static final long SILENCE_PATIENCE_MS = 3_000;

  private final String kind;
  private final Configuration conf;
  private final EngineSites sites;
  private final EngineShares shares;
  private final AdmissionLedger admission;
  private final DeathRegister deaths;
  private final Pace pace;
  private final String life;

  /** How many engines that have ended are told of. */
  private static final int LAST_ENDED = 16;

  @GuardedBy("this")
  private final Map<String, EngineHandle> open = new HashMap<>();

  @GuardedBy("this")
  private final List<EngineHandle> draining = new ArrayList<>();

  private final Map<String, Submission> submissions = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private final ArrayDeque<NodeSnapshot.Ended> ended = new ArrayDeque<>();

  @GuardedBy("this")
  private long started;

  /**
   * @param kind names engines, logs and folders: "engine", "appmaster", "appmaster2"
   * @param life tells this NodeManager's engines from those of earlier ones, in their names
   * @param sites makes them
   * @param shares how large engines are
   */
  EngineSupervisor(
      String kind,
      String life,
      Configuration conf,
      EngineSites sites,
      EngineShares shares,
      AdmissionLedger admission,
      Pace pace) {
    this.kind = kind;
    this.life = life;
    this.conf = conf;
    this.sites = sites;
    this.shares = shares;
    this.admission = admission;
    this.pace = pace;
    this.deaths = new DeathRegister(EngineKeys.QUARANTINE_DEATHS.get(conf).intValue());
  }

  AdmissionLedger admission() {
    return admission;
  }

  /** Whether {@code task} has been in too many dying engines. */
  boolean quarantined(String task) {
    return deaths.quarantined(task);
  }

  /** Starts the user's engine if there is none, without waiting for it. */
  void prepare(String user) {
    try {
      engineOf(user, 0);
    } catch (EngineUnavailableException e) {
      LOG.warn("No {} for {} could be started ahead of use: {}", kind, user, e.getMessage());
    }
  }

  @Override
  public CompletableFuture<ContainerExit> submit(String task, ContainerLaunchSpec spec)
      throws EngineUnavailableException {
    if (deaths.quarantined(task)) {
      throw new EngineUnavailableException(
          "its task was running in "
              + deaths.deathsOf(task)
              + " engines that died ("
              + EngineKeys.QUARANTINE_DEATHS.name()
              + ")");
    }
    String container = spec.containerId();
    if (!admission.admit(container, spec.memoryMb())) {
      throw new EngineUnavailableException(
          "it asks for "
              + spec.memoryMb()
              + " MiB and "
              + (admission.shareMb() - admission.usedMb())
              + " of the engine's "
              + admission.shareMb()
              + " are free ("
              + EngineKeys.MEMORY_MB.name()
              + ")");
    }
    Submission submission = new Submission(task);
    CompletableFuture<ContainerExit> end = null;
    try {
      submissions.put(container, submission);
      shares.weights().started(container, spec.user(), readableJobFile(spec));
      end = handOver(spec, submission);
    } catch (RuntimeException | Error e) {
      LOG.error("{} could not be handed to an engine", container, e);
      throw new EngineUnavailableException("handing it to an engine failed: " + e);
    } finally {
      if (end == null) {
        forget(container);
      }
    }
    // Whoever learns of the end finds its share free: YARN places the next container at once.
    CompletionStage<ContainerExit> settled =
        Outcome.handled(
            Objects.requireNonNull(end),
            "The end of " + container,
            (exit, failure) -> ended(container, submission, exit));
    int signal = submission.handOver();
    if (signal != 0) {
      signal(container, signal);
    }
    return settled.toCompletableFuture();
  }

  private static String readableJobFile(ContainerLaunchSpec spec) {
    return spec.userLaunch() == null ? spec.jobFile() : "";
  }

  private CompletableFuture<ContainerExit> handOver(ContainerLaunchSpec spec, Submission submission)
      throws EngineUnavailableException {
    try {
      return submitToOpenEngine(spec, submission);
    } catch (EngineUnavailableException e) {
      if (submission.signal() != 0) {
        // Whoever ended it believes that it has ended: no other process may start for it.
        return killedBefore(spec, submission);
      }
      throw e;
    }
  }

  private CompletableFuture<ContainerExit> submitToOpenEngine(
      ContainerLaunchSpec spec, Submission submission) throws EngineUnavailableException {
    EngineHandle engine = engineOf(spec.user(), spec.memoryMb());
    try {
      return submitTo(engine, spec, submission);
    } catch (EngineUnavailableException e) {
      if (!engine.awaitWord(SILENCE_PATIENCE_MS) && engine.isOpen()) {
        throw e;
      }
      // It began to drain or died in between, and a fresh one may take it; or it answers again.
      return submitTo(engineOf(spec.user(), spec.memoryMb()), spec, submission);
    }
  }

  private CompletableFuture<ContainerExit> submitTo(
      EngineHandle engine, ContainerLaunchSpec spec, Submission submission)
      throws EngineUnavailableException {
    engine.awaitStart();
    return submission.signal() == 0 ? engine.submit(spec) : killedBefore(spec, submission);
  }

  private static CompletableFuture<ContainerExit> killedBefore(
      ContainerLaunchSpec spec, Submission submission) {
    return CompletableFuture.completedFuture(
        new ContainerExit(spec.containerId(), KILLED_BY_SIGNAL + submission.signal(), ""));
  }

  private void ended(String container, Submission submission, ContainerExit exit) {
    try {
      if (exit != null && exit.kind() == EndKind.ABORTED) {
        deaths.died(submission.task());
      }
    } finally {
      forget(container);
    }
  }

  private void forget(String container) {
    submissions.remove(container);
    shares.weights().ended(container);
    admission.release(container);
  }

  private EngineHandle engineOf(String user, long memoryMb) throws EngineUnavailableException {
    EngineHandle fresh;
    synchronized (this) {
      List<EngineHandle> others =
          open.values().stream()
              .filter(other -> !other.user().equals(user) && other.isOpen())
              .toList();
      EngineHandle engine = open.get(user);
      if (engine != null && engine.isOpen()) {
        if (!shares.isOutgrown(engine, memoryMb, others, drainingWithTasks())) {
          return engine;
        }
        engine.drain("the engines of other users have nothing to do: it may be larger");
      }
      EngineSizing sizing = shares.makeRoom(user, others, drainingWithTasks());
      if (engine != null && !engine.isDead()) {
        draining.add(engine);
      }
      started++;
      String engineId = kind + "-" + user + "-" + life + "-" + started;
      fresh =
          new EngineHandle(
              engineId, user, sizing, sites.create(engineId, user, sizing), conf, pace, this::died);
      open.put(user, fresh);
    }
    fresh.begin(true);
    return fresh;
  }

  /** Those without tasks end at once. */
  private List<EngineHandle> drainingWithTasks() {
    return engines().stream()
        .filter(engine -> !engine.isOpen() && !engine.isDead() && engine.waitingContainers() > 0)
        .toList();
  }

  private void died(EngineHandle engine, Set<String> containers) {
    synchronized (this) {
      open.remove(engine.user(), engine);
      draining.remove(engine);
      ended.addLast(
          new NodeSnapshot.Ended(engine.engineId(), containers.size(), engine.drainReason()));
      if (ended.size() > LAST_ENDED) {
        ended.removeFirst();
      }
    }
    if (!containers.isEmpty()) {
      LOG.warn(
          "{} {} died with {} containers: {}",
          kind,
          engine.engineId(),
          containers.size(),
          containers);
    } else {
      LOG.info("{} {} ended", kind, engine.engineId());
    }
  }

  /** The last engines that have ended, oldest first. */
  synchronized List<NodeSnapshot.Ended> ended() {
    return List.copyOf(ended);
  }

  /** Delivers a signal to a container; false if no engine of this kind runs it. */
  boolean signal(String containerId, int signal) {
    Submission submission = submissions.get(containerId);
    boolean ends = signal == SIGNAL_TERM || signal == SIGNAL_KILL;
    boolean noted = ends && submission != null && submission.killed(signal);
    for (EngineHandle engine : engines()) {
      if (engine.holds(containerId)) {
        return engine.signal(containerId, signal) || noted;
      }
    }
    return noted;
  }

  /** Whether an engine of this kind runs the container, or is to. */
  boolean holds(String containerId) {
    return submissions.containsKey(containerId)
        || engines().stream().anyMatch(engine -> engine.holds(containerId));
  }

  /** All engines that have not ended. */
  synchronized List<EngineHandle> engines() {
    List<EngineHandle> all = new ArrayList<>(open.values());
    all.addAll(draining);
    return all;
  }

  /**
   * Finds a container that an earlier NodeManager handed over.
   *
   * @param user whose it is: engines of others may belong to them, and say what they like
   * @return its end, in the future; empty if no surviving engine of the user's knows it
   */
  Optional<CompletableFuture<ContainerExit>> reattach(
      String containerId, String user, long memoryMb) {
    for (EngineHandle engine : engines()) {
      if (!engine.user().equals(user)) {
        continue;
      }
      try {
        Optional<CompletableFuture<ContainerExit>> end = engine.reattach(containerId, memoryMb);
        if (end.isPresent()) {
          admission.admit(containerId, memoryMb);
          Outcome.handle(
              end.get(), "The end of " + containerId, (exit, failure) -> forget(containerId));
          return end;
        }
      } catch (EngineUnavailableException e) {
        LOG.warn("{} {} is of no help: {}", kind, engine.engineId(), e.getMessage());
      }
    }
    return Optional.empty();
  }

  /** Takes up the engines that an earlier NodeManager left running. */
  void recover() {
    List<EngineHandle> found = new ArrayList<>();
    for (EngineSites.Left left : sites.left(shares.whole())) {
      EngineHandle engine =
          new EngineHandle(
              left.engineId(), left.user(), left.sizing(), left.site(), conf, pace, this::died);
      LOG.info("Taking up {} {}, pid {}", kind, engine.engineId(), engine.pid());
      synchronized (this) {
        if (open.putIfAbsent(left.user(), engine) != null) {
          draining.add(engine);
        }
      }
      found.add(engine);
    }
    found.forEach(engine -> engine.begin(false));
  }

  /** Drains engines that have had nothing to do for the configured time. */
  void stopIdle() {
    long limit = EngineKeys.IDLE_TIMEOUT_MS.get(conf);
    for (EngineHandle engine : engines()) {
      if (engine.isOpen() && engine.idleMs() > limit) {
        engine.drain("idle for " + engine.idleMs() + " ms");
      }
    }
  }

  /** Has each engine told what it may lend of its cache pool beside those of others at work. */
  void dividePools() {
    Map<EngineHandle, Double> parts;
    synchronized (this) {
      parts = shares.poolParts(engines());
    }
    parts.forEach(EngineHandle::limitPool);
  }

  /**
   * Drains open engines.
   *
   * @param which those it is about
   * @return those that drain now and did not before
   */
  List<EngineHandle> drain(Predicate<EngineHandle> which, String reason) {
    List<EngineHandle> drained =
        engines().stream().filter(EngineHandle::isOpen).filter(which).toList();
    drained.forEach(engine -> engine.drain(reason));
    return drained;
  }

  /** Whether an engine is of this kind. */
  boolean isOwn(EngineHandle engine) {
    return engine.engineId().startsWith(kind + "-");
  }

  /** Leaves the engines that run something to this NodeManager's successor, ends the others. */
  void detach() {
    for (EngineHandle engine : engines()) {
      if (engine.waitingContainers() > 0) {
        engine.detach();
      } else {
        engine.destroy();
      }
    }
  }

  /** Ends all engines at once; for a NodeManager that will not come back to its containers. */
  void shutdown() {
    for (EngineHandle engine : engines()) {
      engine.destroy();
    }
  }

  /** Waits for a container's end. */
  static ContainerExit await(CompletableFuture<ContainerExit> end) throws InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an end is never a failure", e);
    }
  }
}
