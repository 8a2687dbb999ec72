// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor.Signal;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.lifecycle.Pace;
import org.mammoth.mapreduce.nodemanager.readings.ReadableEngine;
import org.mammoth.mapreduce.nodemanager.sites.EngineSite;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.mammoth.mapreduce.protocol.UserLaunch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's end of one engine process: hands containers over and knows which are there.
 * What the process itself says and does comes from its {@link EngineKeeper}. Thread-safe; nothing
 * that may block is done under its lock.
 */
final class EngineHandle implements ReadableEngine {

  private static final Logger LOG = LoggerFactory.getLogger(EngineHandle.class);

  /** Between two questions to an engine that does not answer. */
  private static final long ASK_AGAIN_MS = 500;

  /** Between two looks at whether an engine that does not answer has answered or ended. */
  private static final long LOOK_AGAIN_MS = 100;

  private static final int LONGEST_REASON = 500;

  /** Told when an engine is gone, with the containers that were in it. */
  interface DeathListener {
    void died(EngineHandle engine, Set<String> containers);
  }

  private final String engineId;
  private final String user;
  private final EngineSizing sizing;
  private final EngineSite site;
  private final Configuration conf;
  private final Pace pace;
  private final DeathListener deaths;
  private final AdmissionLedger room;
  private final CompletableFuture<EngineProtocol> connected = new CompletableFuture<>();
  private volatile EngineReport latest = new EngineReport();
  private volatile double poolPart = Double.NaN;

  // Under the lock.
  @GuardedBy("this")
  private final EngineLife life = new EngineLife();

  @GuardedBy("this")
  private final Map<String, Placement> placed = new HashMap<>();

  @GuardedBy("this")
  private int arriving;

  @GuardedBy("this")
  private long lastUsedNanos;

  EngineHandle(
      String engineId,
      String user,
      EngineSizing sizing,
      EngineSite site,
      Configuration conf,
      Pace pace,
      DeathListener deaths) {
    this.engineId = engineId;
    this.user = user;
    this.sizing = sizing;
    this.site = site;
    this.conf = conf;
    this.pace = pace;
    this.deaths = deaths;
    this.room = new AdmissionLedger(sizing.admittedMb(conf));
    this.lastUsedNanos = pace.nanos();
  }

  /**
   * Begins to look after the engine; call once.
   *
   * @param isNew whether it has to be started, else it is an earlier NodeManager's
   */
  void begin(boolean isNew) {
    try {
      pace.start("engine-poll-" + engineId, new EngineKeeper(this, site, conf, pace, isNew));
    } catch (RuntimeException | Error e) {
      LOG.error("Nobody can look after engine {}", engineId, e);
      site.destroy();
      gone(new IOException("the NodeManager has no thread for it: " + e));
    }
  }

  @Override
  public String engineId() {
    return engineId;
  }

  @Override
  public String user() {
    return user;
  }

  @Override
  public long pid() {
    return site.pid();
  }

  synchronized EngineLife.State state() {
    return life.state();
  }

  /**
   * Whether new containers belong here; one that is starting or does not answer is not replaced.
   */
  @Override
  public synchronized boolean isOpen() {
    return life.drainReason().isEmpty() && !isOver();
  }

  @GuardedBy("this")
  private boolean isOver() {
    return life.state() == EngineLife.State.DEAD || life.state() == EngineLife.State.DETACHED;
  }

  EngineSizing sizing() {
    return sizing;
  }

  boolean isDead() {
    return state() == EngineLife.State.DEAD;
  }

  EngineReport latestReport() {
    return latest;
  }

  synchronized int waitingContainers() {
    return placed.size();
  }

  /** Whether a task that asks for so much would be taken. */
  boolean hasRoomFor(long memoryMb) {
    return memoryMb <= room.shareMb() - room.usedMb();
  }

  /** Memory that its containers hold, MiB. */
  long usedMb() {
    return room.usedMb();
  }

  /** Milliseconds for which it has had nothing to do; 0 while it starts or is being used. */
  synchronized long idleMs() {
    boolean busy = life.state() == EngineLife.State.STARTING || arriving > 0 || !placed.isEmpty();
    return busy ? 0 : TimeUnit.NANOSECONDS.toMillis(pace.nanos() - lastUsedNanos);
  }

  /**
   * Waits for a starting engine.
   *
   * @throws EngineUnavailableException if it does not start
   */
  void awaitStart() throws EngineUnavailableException {
    arrive(1);
    try {
      awaitConnection();
    } finally {
      arrive(-1);
    }
  }

  /**
   * Waits until an engine that does not answer does, or is known to have ended: a killed one takes
   * a moment to give its memory back.
   *
   * @param mostMs how long to wait for that
   * @return whether it was worth it to wait: it was silent, and is no longer
   */
  boolean awaitWord(long mostMs) {
    boolean silent = state() == EngineLife.State.SILENT;
    for (long ms = 0; ms < mostMs && state() == EngineLife.State.SILENT; ms += LOOK_AGAIN_MS) {
      try {
        pace.sleep(LOOK_AGAIN_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return silent && state() != EngineLife.State.SILENT;
  }

  /**
   * Hands a container over, waiting for a starting engine. Once this has thrown, the container is
   * not in the engine and never will be.
   *
   * @return its end, in the future; {@link ContainerExitStatus#ABORTED} if the engine dies
   * @throws EngineUnavailableException if it was not started there
   */
  CompletableFuture<ContainerExit> submit(ContainerLaunchSpec spec)
      throws EngineUnavailableException {
    arrive(1);
    try {
      EngineProtocol engine = awaitConnection();
      Placement placement = place(spec);
      boolean taken = false;
      try {
        String declined = launch(engine, spec, placement);
        // A call that arrived twice may be declined the second time.
        taken = declined.isEmpty() || placement.isCertain();
        if (!taken) {
          noteDraining(declined);
          throw declinedBy(spec, declined);
        }
        return placement.end();
      } finally {
        if (!taken) {
          remove(spec.containerId(), placement);
        }
      }
    } finally {
      arrive(-1);
    }
  }

  /** The answer may come before that of a poll, which will say the same. */
  private void noteDraining(String declined) {
    if (declined.startsWith(EngineProtocol.DRAINING)) {
      synchronized (this) {
        life.drain(declined.substring(EngineProtocol.DRAINING.length()));
      }
    }
  }

  private static EngineUnavailableException declinedBy(ContainerLaunchSpec spec, String reason) {
    if (spec.userLaunch() == null) {
      return new EngineUnavailableException("the engine declined it: " + reason);
    }
    // An engine that is asked to judge a job answers as the NodeManager's own rules would; but it
    // is its user's, and what it says is kept and logged.
    String line = reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
    return new EngineUnavailableException(
        line.replaceAll("\\p{Cntrl}+", " "), reason.equals(UserLaunch.OPTED_OUT));
  }

  private synchronized void arrive(int count) {
    arriving += count;
    lastUsedNanos = pace.nanos();
  }

  /** From now on an end of the engine is an end of this container. */
  private Placement place(ContainerLaunchSpec spec) throws EngineUnavailableException {
    String container = spec.containerId();
    Placement placement = new Placement();
    synchronized (this) {
      if (life.state() != EngineLife.State.OPEN) {
        throw new EngineUnavailableException("the engine is " + life.state() + describeReason());
      }
      if (!room.admit(container, spec.memoryMb())) {
        throw new EngineUnavailableException(
            "it asks for "
                + spec.memoryMb()
                + " MiB and "
                + (room.shareMb() - room.usedMb())
                + " of the "
                + room.shareMb()
                + " are free that the engine of "
                + user
                + " has beside those of other users ("
                + EngineKeys.MEMORY_MB.name()
                + ")");
      }
      placed.put(container, placement);
    }
    return placement;
  }

  @GuardedBy("this")
  private String describeReason() {
    return life.drainReason().isEmpty() ? "" : ": " + life.drainReason();
  }

  private synchronized boolean remove(String container, Placement placement) {
    boolean held = placed.remove(container, placement);
    if (held) {
      room.release(container);
      lastUsedNanos = pace.nanos();
    }
    return held;
  }

  /** Returns why it is certain that the engine does not run it; empty if it does or did. */
  private String launch(EngineProtocol engine, ContainerLaunchSpec spec, Placement placement) {
    try {
      UserLaunch asUser = spec.userLaunch();
      return asUser == null ? engine.launch(spec) : engine.launchAsUser(spec, asUser);
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("Whether engine {} has {} is not known yet", engineId, spec.containerId(), e);
      return settle(engine, spec.containerId(), placement, e);
    }
  }

  /** The launch was not answered: asks until it is certain where the container is. */
  private String settle(
      EngineProtocol engine, String container, Placement placement, Throwable unanswered) {
    // Not to be interrupted: whoever guesses here has a task run twice, or not at all.
    boolean interrupted = Thread.interrupted();
    try {
      while (!placement.isCertain() && state() != EngineLife.State.DETACHED) {
        try {
          return engine.withdraw(container) ? "" : "it did not answer: " + unanswered;
        } catch (IOException | RuntimeException | Error e) {
          LOG.debug("Engine {} does not say whether it has {}", engineId, container, e);
        }
        try {
          pace.sleep(ASK_AGAIN_MS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return "";
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The end of a container that an earlier NodeManager handed over, if this engine knows it. */
  Optional<CompletableFuture<ContainerExit>> reattach(String container, long memoryMb)
      throws EngineUnavailableException {
    EngineProtocol engine = awaitConnection();
    Placement placement = new Placement();
    synchronized (this) {
      if (isOver()) {
        return Optional.empty();
      }
      Placement there = placed.putIfAbsent(container, placement);
      if (there != null) {
        return Optional.of(there.end());
      }
      room.admit(container, memoryMb);
    }
    boolean known = false;
    try {
      EngineReport report = engine.poll(new String[0], 0);
      known =
          report.running().contains(container)
              || report.exits().stream().anyMatch(exit -> exit.containerId().equals(container))
              || placement.end().isDone();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Engine {} did not answer for {}", engineId, container, e);
    } finally {
      if (!known) {
        remove(container, placement);
      }
    }
    return known ? Optional.of(placement.end()) : Optional.empty();
  }

  /**
   * Delivers a signal to a container of this engine; false if it is not running here. A request for
   * a thread dump is on its way on return: YARN sends it on the thread that starts and ends all
   * containers, and an engine that is to be looked at may be slow to answer.
   */
  boolean signal(String container, int signal) {
    EngineProtocol engine = connectedOrNull();
    if (engine == null || !holds(container)) {
      return false;
    }
    if (signal == Signal.QUIT.getValue()) {
      try {
        pace.start("engine-dump-" + engineId, () -> deliver(engine, container, signal));
        return true;
      } catch (RuntimeException | Error e) {
        LOG.warn("No thread for a dump of {}", container, e);
        return false;
      }
    }
    return deliver(engine, container, signal);
  }

  private boolean deliver(EngineProtocol engine, String container, int signal) {
    try {
      return engine.signal(container, signal);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Signal {} for {} did not reach engine {}", signal, container, engineId, e);
      return false;
    }
  }

  @Override
  public String snapshotJson() throws IOException {
    return connectedNow().snapshot().toString();
  }

  /** See {@link EngineSite#output}. */
  Map.Entry<String, String> output(int bytes) throws IOException {
    return site.output(bytes);
  }

  @Override
  public String decisionsJson(long from, int atMost) throws IOException {
    return connectedNow().decisions(from, atMost).toString();
  }

  /**
   * Has it forget files that it keeps in memory; blocks.
   *
   * @return bytes of the files
   * @throws IOException if it is starting or does not answer
   */
  long dropCached(String path) throws IOException {
    return connectedNow().dropCached(path);
  }

  /** See {@link EngineProtocol#profile}. */
  String profile(int seconds) throws IOException {
    return connectedNow().profile(seconds).toString();
  }

  private EngineProtocol connectedNow() throws IOException {
    if (!connected.isDone()) {
      throw new IOException("it is starting");
    }
    EngineProtocol engine = connectedOrNull();
    if (engine == null) {
      throw new IOException("it did not start, or is gone");
    }
    return engine;
  }

  private EngineProtocol connectedOrNull() {
    return connected.isCompletedExceptionally() ? null : connected.getNow(null);
  }

  synchronized boolean holds(String container) {
    return placed.containsKey(container);
  }

  /** Gives it no more containers; it ends when it has none. Does not wait for it. */
  void drain(String reason) {
    EngineLife.State before;
    synchronized (this) {
      before = life.state();
      life.drain(reason);
    }
    if (before == EngineLife.State.STARTING) {
      // Nothing is in it yet, and nobody else is to wait for it.
      site.destroy();
    }
  }

  /** Why it takes no more; empty if it was not told so. */
  synchronized String drainReason() {
    return life.drainReason();
  }

  /** Has it lend no more than {@code part} of its cache pool soon, above 0 and up to 1. */
  void limitPool(double part) {
    poolPart = part;
  }

  /** What it is to lend; not a number if nobody has said. */
  double poolPart() {
    return poolPart;
  }

  /** Leaves the engine to another NodeManager: asks and acknowledges no more. */
  synchronized void detach() {
    life.happened(EngineLife.Event.DETACH);
  }

  /** Ends the process at once. */
  void destroy() {
    drain("it is ended at once");
    site.destroy();
  }

  private EngineProtocol awaitConnection() throws EngineUnavailableException {
    long timeoutMs = EngineKeys.START_TIMEOUT_MS.get(conf);
    try {
      return pace.await(connected, timeoutMs);
    } catch (ExecutionException e) {
      throw new EngineUnavailableException("the engine did not start: " + e.getCause());
    } catch (TimeoutException e) {
      throw new EngineUnavailableException(
          "the engine did not start within "
              + timeoutMs
              + " ms ("
              + EngineKeys.START_TIMEOUT_MS.name()
              + ")");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineUnavailableException("the launch was interrupted");
    }
  }

  /** It listens. */
  void listens(EngineProtocol engine) {
    synchronized (this) {
      life.happened(EngineLife.Event.CONNECT);
      lastUsedNanos = pace.nanos();
    }
    connected.complete(engine);
  }

  /** It has answered. */
  void answered(EngineReport report) {
    latest = report;
    synchronized (this) {
      life.happened(EngineLife.Event.ANSWER);
      if (!report.drainReason().isEmpty()) {
        life.drain(report.drainReason());
      }
      for (String container : report.running()) {
        Placement placement = placed.get(container);
        if (placement != null) {
          placement.see();
        }
      }
    }
  }

  /** It has not answered. */
  synchronized void silent() {
    life.happened(EngineLife.Event.SILENCE);
  }

  /** A container has ended; false if this NodeManager did not hand it over nor ask for it. */
  boolean complete(ContainerExit exit) {
    Placement placement;
    synchronized (this) {
      placement = placed.get(exit.containerId());
    }
    if (placement == null || !remove(exit.containerId(), placement)) {
      return false;
    }
    placement.end().complete(exit);
    return true;
  }

  /** Its process is gone; all it had ends with it. */
  void gone(IOException why) {
    Map<String, Placement> lost;
    synchronized (this) {
      life.happened(EngineLife.Event.EXIT);
      lost = new HashMap<>(placed);
      placed.clear();
      lost.keySet().forEach(room::release);
    }
    connected.completeExceptionally(why);
    deaths.died(this, lost.keySet());
    lost.forEach(
        (container, placement) ->
            placement
                .end()
                .complete(
                    new ContainerExit(
                        container,
                        ContainerExitStatus.ABORTED,
                        "The engine "
                            + engineId
                            + " ended while the task ran; the task is run"
                            + " again.")));
  }
}
