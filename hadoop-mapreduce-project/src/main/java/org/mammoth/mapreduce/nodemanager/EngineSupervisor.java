package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.admission.DeathRegister;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one kind of engine of this node: at most one open engine per user, started on first use,
 * and those that are draining. Admits tasks to the engines' share of the node, keeps tasks that
 * died with two engines out of the next, stops engines that are idle.
 *
 * <p>Thread-safe.
 */
final class EngineSupervisor {

  private static final Logger LOG = LoggerFactory.getLogger(EngineSupervisor.class);

  private final String kind;
  private final String role;
  private final Configuration conf;
  private final EngineLauncher launcher;
  private final EngineShares shares;
  private final AdmissionLedger admission;
  private final DeathRegister deaths;
  private final Clock clock;
  private final Path homes;
  private final Map<String, EngineHandle> open = new HashMap<>();
  private final List<EngineHandle> draining = new ArrayList<>();
  private final Map<String, String> taskOfContainer = new HashMap<>();
  private long started;

  /**
   * @param kind names engines, logs and folders: "engine" or "appmaster"
   * @param role see {@link EngineLauncher#start}
   * @param launcher starts them
   * @param shares how large engines are
   * @param homes private folder in which engines' homes are made
   */
  EngineSupervisor(
      String kind,
      String role,
      Configuration conf,
      EngineLauncher launcher,
      EngineShares shares,
      AdmissionLedger admission,
      Clock clock,
      Path homes) {
    this.kind = kind;
    this.role = role;
    this.conf = conf;
    this.launcher = launcher;
    this.shares = shares;
    this.admission = admission;
    this.clock = clock;
    this.homes = homes;
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

  /**
   * Hands a container to the user's engine.
   *
   * @param task names the task across its attempts
   * @return its end, in the future
   * @throws EngineUnavailableException if it was not started in an engine
   */
  CompletableFuture<ContainerExit> submit(String task, ContainerLaunchSpec spec)
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
    synchronized (this) {
      taskOfContainer.put(container, task);
      shares.weights().started(container, spec.user(), spec.jobFile());
    }
    try {
      CompletableFuture<ContainerExit> end = submitToOpenEngine(spec);
      end.whenComplete((exit, failure) -> ended(container, exit));
      return end;
    } catch (EngineUnavailableException e) {
      forget(container);
      throw e;
    }
  }

  private CompletableFuture<ContainerExit> submitToOpenEngine(ContainerLaunchSpec spec)
      throws EngineUnavailableException {
    EngineHandle engine = engineOf(spec.user(), spec.memoryMb());
    try {
      return engine.submit(spec);
    } catch (EngineUnavailableException e) {
      if (engine.isOpen()) {
        throw e;
      }
      // It began to drain or died in between; a fresh one may take it.
      return engineOf(spec.user(), spec.memoryMb()).submit(spec);
    }
  }

  private void ended(String container, ContainerExit exit) {
    if (exit != null && exit.exitCode() == ContainerExitStatus.ABORTED) {
      noteDeath(container);
    }
    forget(container);
  }

  private synchronized void noteDeath(String container) {
    String task = taskOfContainer.get(container);
    if (task != null) {
      deaths.died(task);
    }
  }

  private synchronized void forget(String container) {
    taskOfContainer.remove(container);
    shares.weights().ended(container);
    admission.release(container);
  }

  private synchronized EngineHandle engineOf(String user, long memoryMb)
      throws EngineUnavailableException {
    List<EngineHandle> others =
        open.values().stream()
            .filter(other -> !other.user().equals(user) && other.isOpen())
            .toList();
    EngineHandle engine = open.get(user);
    if (engine != null && engine.isOpen()) {
      if (!shares.isOutgrown(engine, memoryMb, others)) {
        return engine;
      }
      engine.drain("the engines of other users have nothing to do: it may be larger");
    }
    if (engine != null && !engine.isDead()) {
      draining.add(engine);
    }
    EngineSizing sizing = shares.makeRoom(user, others);
    started++;
    String engineId = kind + "-" + user + "-" + clock.millis() + "-" + started;
    try {
      EngineHome home = EngineHome.create(homes, engineId, user);
      home.keep(sizing.toSize());
      Process process = launcher.start(home, user, role, sizing);
      EngineHandle fresh =
          new EngineHandle(home, user, sizing, process.toHandle(), conf, clock, this::died);
      open.put(user, fresh);
      fresh.watch();
      return fresh;
    } catch (IOException e) {
      LOG.error("Could not start {} {}", kind, engineId, e);
      throw new EngineUnavailableException("no engine could be started: " + e.getMessage());
    }
  }

  private void died(EngineHandle engine, Set<String> containers) {
    synchronized (this) {
      open.remove(engine.user(), engine);
      draining.remove(engine);
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

  /** Delivers a signal to a container; false if no engine of this kind runs it. */
  boolean signal(String containerId, int signal) {
    for (EngineHandle engine : engines()) {
      if (engine.holds(containerId)) {
        return engine.signal(containerId, signal);
      }
    }
    return false;
  }

  /** Whether an engine of this kind runs the container. */
  boolean holds(String containerId) {
    return engines().stream().anyMatch(engine -> engine.holds(containerId));
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
   * @return its end, in the future; empty if no surviving engine knows it
   */
  Optional<CompletableFuture<ContainerExit>> reattach(String containerId, long memoryMb) {
    for (EngineHandle engine : engines()) {
      try {
        Optional<CompletableFuture<ContainerExit>> end = engine.reattach(containerId);
        if (end.isPresent()) {
          admission.admit(containerId, memoryMb);
          end.get().whenComplete((exit, failure) -> forget(containerId));
          return end;
        }
      } catch (EngineUnavailableException e) {
        LOG.warn("{} {} is of no help: {}", kind, engine.engineId(), e.getMessage());
      }
    }
    return Optional.empty();
  }

  /** Takes up the engines that an earlier NodeManager left running. */
  synchronized void recover() throws IOException {
    if (!Files.isDirectory(homes)) {
      return;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(homes, kind + "-*")) {
      for (Path folder : folders) {
        EngineHome home = new EngineHome(folder);
        Optional<EngineHome.Address> address = home.address();
        Optional<ProcessHandle> process = address.flatMap(a -> ProcessHandle.of(a.pid()));
        if (process.isEmpty() || !runsEngine(process.get(), folder)) {
          home.delete();
          continue;
        }
        EngineSizing sizing = home.size().map(EngineSizing::of).orElseGet(shares::whole);
        EngineHandle engine =
            new EngineHandle(home, home.user(), sizing, process.get(), conf, clock, this::died);
        LOG.info("Taking up {} {}, pid {}", kind, engine.engineId(), engine.pid());
        EngineHandle other = open.putIfAbsent(home.user(), engine);
        if (other != null) {
          draining.add(engine);
        }
        engine.watch();
      }
    }
  }

  private static boolean runsEngine(ProcessHandle process, Path folder) throws IOException {
    // A process id may have been given to another program since; only ours names its home.
    Path commandLine = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
    return Files.isReadable(commandLine)
        && new String(Files.readAllBytes(commandLine), StandardCharsets.UTF_8)
            .contains(folder.toString());
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

  /** Tells each engine what it may lend of its cache pool beside those of other users at work. */
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
