package org.mammoth.mapreduce.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers of one engine: starts them, remembers how they ended until the NodeManager has
 * taken note, and decides when the engine takes no more. Thread-safe.
 */
final class HostedContainers {

  private static final Logger LOG = LoggerFactory.getLogger(HostedContainers.class);

  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);

  private final Configuration conf;
  private final Clock clock = Clock.systemUTC();
  private final EngineVitals vitals;
  private final TaskSurroundings surroundings;
  private final ContainerProgram.Factory programs;
  private final ExecutorService wardens;
  private final Map<String, HostedContainer> running = new LinkedHashMap<>();
  private final Map<String, ContainerExit> ended = new LinkedHashMap<>();
  private final Set<String> reported = new HashSet<>();
  private final Set<HostedContainer> lingering = new HashSet<>();
  private final CollectionShares collections = new CollectionShares(EngineVitals::collectionMs);
  private String drainReason = "";
  private long lastPollMs;

  HostedContainers(
      Configuration conf,
      EngineVitals vitals,
      TaskSurroundings surroundings,
      ContainerProgram.Factory programs) {
    this.conf = conf;
    this.vitals = vitals;
    this.surroundings = surroundings;
    this.programs = programs;
    this.lastPollMs = clock.millis();
    ThreadGroup engineGroup = Thread.currentThread().getThreadGroup();
    this.wardens =
        Executors.newCachedThreadPool(
            runnable -> {
              // Never in a task's group: wardens outlive tasks and see to their end.
              Thread thread = new Thread(engineGroup, runnable, "warden");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#launch}. */
  synchronized String launch(ContainerLaunchSpec spec) {
    String containerId = spec.containerId();
    if (running.containsKey(containerId) || ended.containsKey(containerId)) {
      return "";
    }
    if (!drainReason.isEmpty()) {
      return "it is draining: " + drainReason;
    }
    HostedContainer container = new HostedContainer(spec, surroundings, programs, this);
    Optional<String> reason = programs.reasonAgainst(container);
    if (reason.isPresent()) {
      return reason.get();
    }
    running.put(containerId, container);
    collections.began();
    vitals.started();
    wardens.execute(container::runToEnd);
    return "";
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#signal}. */
  boolean signal(String containerId, int signal) {
    HostedContainer container;
    synchronized (this) {
      container = running.get(containerId);
    }
    return container != null && container.signal(signal);
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#poll}. */
  synchronized EngineReport poll(String[] acknowledged, long waitMs) throws InterruptedException {
    for (String containerId : acknowledged) {
      ended.remove(containerId);
      reported.remove(containerId);
    }
    lastPollMs = clock.millis();
    long deadline = lastPollMs + waitMs;
    for (long left = waitMs;
        left > 0 && reported.containsAll(ended.keySet());
        left = deadline - clock.millis()) {
      wait(left);
    }
    lastPollMs = clock.millis();
    reported.addAll(ended.keySet());
    return new EngineReport(
        List.copyOf(ended.values()), List.copyOf(running.keySet()), drainReason, statusJson());
  }

  /** The containers at one moment. */
  record Situation(List<HostedContainer> running, int lingering, String drainReason) {}

  synchronized Situation situation() {
    return new Situation(List.copyOf(running.values()), lingering.size(), drainReason);
  }

  synchronized String statusJson() {
    return vitals.json(new ArrayList<>(running.values()), lingering.size(), drainReason);
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#drain}. */
  synchronized void drain(String reason) {
    if (drainReason.isEmpty()) {
      LOG.info("Draining: {}", reason);
      drainReason = reason;
      notifyAll();
    }
  }

  /** Notes a task's end; the first word on a task counts. */
  synchronized void exited(HostedContainer container, int exitCode, String diagnostics) {
    if (running.remove(container.containerId(), container)) {
      collections.ended();
      ended.put(
          container.containerId(),
          new ContainerExit(container.containerId(), exitCode, diagnostics));
      vitals.ended(exitCode, container.failedItself());
      programs.ended(container);
      notifyAll();
    }
  }

  /** A task has been reported as ended while threads of it still run. */
  synchronized void lingers(HostedContainer container, List<Thread> threads) {
    lingering.add(container);
    LOG.warn("{} has ended but {} of its threads run on: {}", container, threads.size(), threads);
    drain("threads of " + container.name() + " ignored its end");
  }

  /** All threads of a task are gone. */
  synchronized void vanished(HostedContainer container) {
    lingering.remove(container);
    notifyAll();
  }

  /**
   * Judges a task that met an OutOfMemoryError. The heap is shared, so it may be another one's
   * fault; then this one is run again elsewhere. The engine is drained: shared code that the error
   * passed through may be left half done.
   *
   * @return whether the task is to blame
   */
  boolean blameForMemory(HostedContainer container, OutOfMemoryError error) {
    boolean guilty =
        surroundings.memory() == null || surroundings.memory().heap().isToBlame(container, error);
    drain("out of memory in " + container.name());
    return guilty;
  }

  CollectionShares collections() {
    return collections;
  }

  synchronized int runningCount() {
    return running.size();
  }

  /**
   * Waits until the engine has been drained and is empty, or nobody asks for it any more.
   *
   * @param homeExists whether the engine's home is still there
   */
  void awaitEnd(BooleanSupplier homeExists) throws InterruptedException {
    while (true) {
      synchronized (this) {
        wait(WATCH_INTERVAL.toMillis());
        if (!drainReason.isEmpty() && running.isEmpty() && ended.isEmpty()) {
          return;
        }
        long silentMs = clock.millis() - lastPollMs;
        if (silentMs > EngineKeys.ORPHAN_TIMEOUT_MS.get(conf)) {
          LOG.error("No NodeManager has asked for {} ms, ending", silentMs);
          return;
        }
      }
      if (!homeExists.getAsBoolean()) {
        LOG.error("The engine's home folder is gone, ending");
        return;
      }
      if (surroundings.memory() != null) {
        surroundings.memory().tick();
      }
      long limitMb = EngineKeys.RECYCLE_METASPACE_MB.get(conf);
      if (vitals.metaspaceMb() > limitMb) {
        drain(
            "metaspace is above "
                + limitMb
                + " MiB ("
                + EngineKeys.RECYCLE_METASPACE_MB.name()
                + ")");
      }
    }
  }
}
