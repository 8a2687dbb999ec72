package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's end of one engine process: hands containers over, learns of their ends by a
 * long poll, and notices when the process is gone or no longer answers. Thread-safe.
 */
final class EngineHandle implements ReadableEngine {

  private static final Logger LOG = LoggerFactory.getLogger(EngineHandle.class);

  private static final int CALL_TIMEOUT_MS = 20_000;
  private static final long POLL_MS = 1_000;
  private static final long ADDRESS_CHECK_MS = 10;

  /** Told when an engine is gone, with the containers that were in it. */
  interface DeathListener {
    void died(EngineHandle engine, Set<String> containers);
  }

  private final EngineHome home;
  private final String user;
  private final EngineSizing sizing;
  private final ProcessHandle process;
  private final Configuration conf;
  private final Clock clock;
  private final DeathListener deaths;
  private final AdmissionLedger room;
  private final Map<String, CompletableFuture<ContainerExit>> waiting = new ConcurrentHashMap<>();
  private final CompletableFuture<EngineProtocol> connected = new CompletableFuture<>();
  private volatile EngineReport latest = new EngineReport();

  /** What it was told last; of an engine that another NodeManager left, that is not known. */
  private volatile double poolPart = Double.NaN;

  private volatile boolean draining;
  private volatile boolean dead;
  private volatile boolean detached;
  private volatile long lastUsedMs;

  EngineHandle(
      EngineHome home,
      String user,
      EngineSizing sizing,
      ProcessHandle process,
      Configuration conf,
      Clock clock,
      DeathListener deaths) {
    this.home = home;
    this.user = user;
    this.sizing = sizing;
    this.process = process;
    this.conf = conf;
    this.clock = clock;
    this.deaths = deaths;
    this.room = new AdmissionLedger(sizing.shareMb() > 0 ? sizing.shareMb() : Long.MAX_VALUE);
    this.lastUsedMs = clock.millis();
  }

  /** Starts watching the process; call once. */
  void watch() {
    Thread poller = new Thread(this::pollUntilGone, "engine-poll-" + home.engineId());
    poller.setDaemon(true);
    poller.start();
  }

  @Override
  public String engineId() {
    return home.engineId();
  }

  @Override
  public String user() {
    return user;
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public boolean isOpen() {
    return !dead && !draining;
  }

  EngineSizing sizing() {
    return sizing;
  }

  boolean isDead() {
    return dead;
  }

  EngineReport latestReport() {
    return latest;
  }

  int waitingContainers() {
    return waiting.size();
  }

  /** Whether a task that asks for so much would be taken. */
  boolean hasRoomFor(long memoryMb) {
    return memoryMb <= room.shareMb() - room.usedMb();
  }

  /** Milliseconds for which it has had nothing to do. */
  long idleMs() {
    return waiting.isEmpty() ? clock.millis() - lastUsedMs : 0;
  }

  /**
   * Hands a container over, waiting for a starting engine.
   *
   * @return its end, in the future; {@link ContainerExitStatus#ABORTED} if the engine dies
   * @throws EngineUnavailableException if it was not started there
   */
  CompletableFuture<ContainerExit> submit(ContainerLaunchSpec spec)
      throws EngineUnavailableException {
    EngineProtocol engine = awaitConnection();
    String container = spec.containerId();
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
    CompletableFuture<ContainerExit> end = new CompletableFuture<>();
    end.whenComplete((exit, failure) -> room.release(container));
    waiting.put(container, end);
    lastUsedMs = clock.millis();
    try {
      String declined = engine.launch(spec);
      if (declined.isEmpty()) {
        return end;
      }
      waiting.remove(container);
      room.release(container);
      throw new EngineUnavailableException("the engine declined it: " + declined);
    } catch (IOException e) {
      if (process.isAlive() && waiting.remove(container) != null) {
        room.release(container);
        throw new EngineUnavailableException("the engine cannot be reached: " + e.getMessage());
      }
      return end;
    }
  }

  /** The end of a container that an earlier NodeManager handed over, if this engine knows it. */
  Optional<CompletableFuture<ContainerExit>> reattach(String containerId)
      throws EngineUnavailableException {
    awaitConnection();
    CompletableFuture<ContainerExit> end =
        waiting.computeIfAbsent(containerId, id -> new CompletableFuture<>());
    try {
      EngineReport report = connected.get().poll(new String[0], 0);
      boolean known =
          report.running().contains(containerId)
              || report.exits().stream().anyMatch(exit -> exit.containerId().equals(containerId));
      if (known || end.isDone()) {
        return Optional.of(end);
      }
    } catch (IOException | InterruptedException | ExecutionException e) {
      LOG.warn("Engine {} did not answer for {}", engineId(), containerId, e);
    }
    waiting.remove(containerId, end);
    return Optional.empty();
  }

  /** Delivers a signal to a container of this engine; false if it is not running here. */
  boolean signal(String containerId, int signal) {
    EngineProtocol engine = connected.getNow(null);
    if (engine == null || !waiting.containsKey(containerId)) {
      return false;
    }
    try {
      return engine.signal(containerId, signal);
    } catch (IOException e) {
      LOG.warn("Signal {} for {} did not reach engine {}", signal, containerId, engineId(), e);
      return false;
    }
  }

  @Override
  public String snapshotJson() throws IOException {
    return connectedNow().snapshot().toString();
  }

  @Override
  public String decisionsJson(long from, int atMost) throws IOException {
    return connectedNow().decisions(from, atMost).toString();
  }

  private EngineProtocol connectedNow() throws IOException {
    if (!connected.isDone()) {
      throw new IOException("it is starting");
    }
    if (connected.isCompletedExceptionally()) {
      throw new IOException("it did not start, or is gone");
    }
    return connected.join();
  }

  boolean holds(String containerId) {
    return waiting.containsKey(containerId);
  }

  /** Gives it no more containers; it ends when it has none. */
  void drain(String reason) {
    draining = true;
    EngineProtocol engine = connected.getNow(null);
    if (engine == null) {
      process.destroyForcibly();
      return;
    }
    try {
      engine.drain(reason);
    } catch (IOException e) {
      LOG.warn("Engine {} could not be told to drain ({}), ending it", engineId(), reason, e);
      process.destroyForcibly();
    }
  }

  /**
   * Has it lend no more than {@code part} of its cache pool, above 0 and up to 1. Does nothing if
   * it was told so before, or is still starting. Called by one thread at a time.
   */
  void limitPool(double part) {
    EngineProtocol engine = connected.isCompletedExceptionally() ? null : connected.getNow(null);
    if (engine == null || part == poolPart) {
      return;
    }
    try {
      engine.limitPool(part);
      poolPart = part;
    } catch (IOException e) {
      LOG.warn("Engine {} keeps the pool it has, not {} of it", engineId(), part, e);
    }
  }

  /** Leaves the engine to another NodeManager: asks and acknowledges no more. */
  void detach() {
    detached = true;
  }

  /** Ends the process at once. */
  void destroy() {
    draining = true;
    process.destroyForcibly();
  }

  private EngineProtocol awaitConnection() throws EngineUnavailableException {
    long timeoutMs = EngineKeys.START_TIMEOUT_MS.get(conf);
    try {
      return connected.get(timeoutMs, TimeUnit.MILLISECONDS);
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

  private void pollUntilGone() {
    try {
      EngineProtocol engine = connect();
      connected.complete(engine);
      LOG.info("Engine {} of user {} is up, pid {}", engineId(), user, process.pid());
      poll(engine);
      RPC.stopProxy(engine);
    } catch (IOException | InterruptedException e) {
      LOG.error("Engine {} of user {} is not usable", engineId(), user, e);
      process.destroyForcibly();
      connected.completeExceptionally(e);
    }
    if (!detached) {
      gone();
    }
  }

  private EngineProtocol connect() throws IOException, InterruptedException {
    long deadline = clock.millis() + EngineKeys.START_TIMEOUT_MS.get(conf);
    Optional<EngineHome.Address> address = home.address();
    while (address.isEmpty()) {
      if (!process.isAlive()) {
        throw new IOException(
            "its process ended while starting; see mammoth-" + engineId() + ".out in the log dir");
      }
      if (clock.millis() > deadline) {
        throw new IOException("it does not listen; see mammoth-" + engineId() + ".out");
      }
      awaitExit(ADDRESS_CHECK_MS);
      address = home.address();
    }
    return EngineConnection.open(conf, home, address.get(), CALL_TIMEOUT_MS);
  }

  private void poll(EngineProtocol engine) throws InterruptedException {
    List<String> acknowledged = new ArrayList<>();
    long answeredMs = clock.millis();
    while (process.isAlive() && !detached) {
      try {
        EngineReport report = engine.poll(acknowledged.toArray(new String[0]), POLL_MS);
        if (detached) {
          return;
        }
        answeredMs = clock.millis();
        acknowledged.clear();
        latest = report;
        if (!report.drainReason().isEmpty()) {
          draining = true;
        }
        for (ContainerExit exit : report.exits()) {
          if (complete(exit)) {
            acknowledged.add(exit.containerId());
          }
        }
      } catch (IOException e) {
        if (clock.millis() - answeredMs > EngineKeys.HEALTH_TIMEOUT_MS.get(conf)) {
          LOG.error(
              "Engine {} has not answered for {} ms ({}), killing it",
              engineId(),
              clock.millis() - answeredMs,
              EngineKeys.HEALTH_TIMEOUT_MS.name(),
              e);
          process.destroyForcibly();
        }
        awaitExit(POLL_MS / 10);
      }
    }
  }

  private boolean complete(ContainerExit exit) {
    CompletableFuture<ContainerExit> end = waiting.remove(exit.containerId());
    if (end == null) {
      // Unknown yet: a recovering NodeManager will ask for it. Not acknowledged, so not lost.
      return false;
    }
    lastUsedMs = clock.millis();
    end.complete(exit);
    return true;
  }

  private void awaitExit(long timeoutMs) throws InterruptedException {
    try {
      process.onExit().get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // still alive, which is the usual case
      return;
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot watch process " + process.pid(), e);
    }
  }

  private void gone() {
    dead = true;
    connected.completeExceptionally(new IOException("the engine is gone"));
    Set<String> lost = Set.copyOf(waiting.keySet());
    deaths.died(this, lost);
    for (String containerId : lost) {
      CompletableFuture<ContainerExit> end = waiting.remove(containerId);
      if (end != null) {
        end.complete(
            new ContainerExit(
                containerId,
                ContainerExitStatus.ABORTED,
                "The engine " + engineId() + " ended while the task ran; the task is run again."));
      }
    }
    try {
      home.delete();
    } catch (IOException e) {
      LOG.warn("Could not remove {}", home.folder(), e);
    }
  }
}
