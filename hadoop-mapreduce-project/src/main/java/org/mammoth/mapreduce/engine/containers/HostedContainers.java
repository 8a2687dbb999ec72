// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.engine.heap.CollectionShares;
import org.mammoth.mapreduce.lifecycle.Silence;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers of one engine: starts them, reports how they ended, and decides when the engine
 * takes no more. Thread-safe.
 */
public final class HostedContainers implements MemoryJudge {

  private static final Logger LOG = LoggerFactory.getLogger(HostedContainers.class);

  /** Looks for the NodeManager come once a second; one that comes much later was held up itself. */
  private static final long LONGEST_LOOK_MS = 5_000;

  private static final String LACKS_DESCRIPTORS =
      "it has hardly a file descriptor left (ulimit -n of the NodeManager)";

  private final Configuration conf;
  private final EngineVitals vitals;
  private final TaskSurroundings surroundings;
  private final ContainerProgram.Factory programs;
  private final Executor wardens;
  private final ContainerTable<HostedContainer> table;
  private final Silence nodeManager;
  private final LongSupplier nanos;
  private final OverdueEnds overdue = new OverdueEnds();
  private final ChildrenLimit childrenLimit;

  @GuardedBy("lingering")
  private final Set<HostedContainer> lingering = new HashSet<>();

  private final LateAnswers lateAnswers;
  private final CollectionShares collections = new CollectionShares(EngineVitals::collectionMs);

  /**
   * @param wardens runs each container's warden on a thread outside any task's group
   * @param nanos as {@link System#nanoTime}
   */
  public HostedContainers(
      Configuration conf,
      EngineVitals vitals,
      TaskSurroundings surroundings,
      ContainerProgram.Factory programs,
      Executor wardens,
      LongSupplier nanos) {
    this.conf = conf;
    this.vitals = vitals;
    this.surroundings = surroundings;
    this.programs = programs;
    this.wardens = wardens;
    this.nanos = nanos;
    this.table = new ContainerTable<>(nanos);
    this.childrenLimit = new ChildrenLimit(conf, nanos);
    this.lateAnswers = new LateAnswers(nanos);
    this.nodeManager = new Silence(nanos, LONGEST_LOOK_MS);
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#launch}. */
  public String launch(ContainerLaunchSpec spec) {
    return table.launch(spec.containerId(), () -> make(spec));
  }

  /**
   * The same for a container that has to be prepared first; that is done once.
   *
   * @param preparation makes what is launched; may read files
   */
  public String launch(String containerId, ContainerTable.Maker<ContainerLaunchSpec> preparation) {
    return table.launch(containerId, () -> make(preparation.make()));
  }

  private HostedContainer make(ContainerLaunchSpec spec) throws ContainerTable.DeclinedException {
    if (checkDescriptors()) {
      throw new ContainerTable.DeclinedException(LACKS_DESCRIPTORS);
    }
    HostedContainer container = new HostedContainer(spec, surroundings, programs, this);
    boolean taken = false;
    try {
      Optional<String> reason = programs.reasonAgainst(container);
      if (reason.isPresent()) {
        throw new ContainerTable.DeclinedException(reason.get());
      }
      taken = true;
      return container;
    } finally {
      if (!taken) {
        container.freeBuffers();
      }
    }
  }

  /**
   * Drains an engine that can hardly open another file: each task in it would fail of that, and in
   * a process of its own would not.
   *
   * @return whether it is one
   */
  boolean checkDescriptors() {
    boolean lacks = vitals.lacksDescriptors();
    if (lacks) {
      drain(LACKS_DESCRIPTORS);
    }
    return lacks;
  }

  /** Begins a container's life on a warden. */
  void begin(HostedContainer container) {
    collections.began();
    boolean begun = false;
    try {
      wardens.execute(container::runToEnd);
      begun = true;
    } finally {
      if (!begun) {
        collections.ended();
      }
    }
    vitals.started();
  }

  /** The container was made and will not be started. */
  void discarded(HostedContainer container) {
    programs.ended(container);
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#withdraw}. */
  public boolean withdraw(String containerId) {
    return table.withdraw(containerId);
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#signal}. */
  public boolean signal(String containerId, int signal) {
    HostedContainer container = table.find(containerId);
    return container != null && container.signal(signal);
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#poll}. */
  public EngineReport poll(String[] acknowledged, long waitMs) throws InterruptedException {
    nodeManager.heard();
    for (HostedContainer container : overdue.look(table.running(), nanos.getAsLong())) {
      LOG.error("{} has not come to its end for {}", container, OverdueEnds.MAY_TAKE);
      drain(container + " did not come to its end");
      container.reportExit(0);
    }
    ContainerTable.Report report = table.poll(acknowledged, waitMs);
    nodeManager.heard();
    return new EngineReport(report.exits(), report.running(), report.drainReason(), statusJson());
  }

  /** How long no NodeManager has asked, ms. */
  public long silentMs() {
    return nodeManager.lookMs();
  }

  /** The containers at one moment. */
  public record Situation(List<HostedContainer> running, int lingering, String drainReason) {}

  public Situation situation() {
    return new Situation(table.running(), lingeringCount(), table.drainReason());
  }

  private int lingeringCount() {
    synchronized (lingering) {
      return lingering.size();
    }
  }

  public String statusJson() {
    return vitals.json(table.running(), lingeringCount(), table.drainReason());
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#drain}. */
  public void drain(String reason) {
    if (table.drain(reason)) {
      LOG.info("Draining: {}", reason);
    }
  }

  /**
   * Takes no more, as one container is about to change the JVM as it likes.
   *
   * @param what it does, for people
   * @return false if another one is here
   */
  boolean leaveTo(HostedContainer container, String what) {
    List<HostedContainer> alone = List.of(container);
    if (!table.running().equals(alone)) {
      return false;
    }
    LOG.info("{} has the engine to itself from now on: {}", container, what);
    drain(container.name() + " changes the JVM: " + what);
    return table.running().equals(alone);
  }

  /** A container's end has been decided and goes to the NodeManager. */
  void ended(HostedContainer container, ContainerExit exit) {
    try {
      collections.ended();
      vitals.ended(exit.exitCode(), container.failedItself());
      programs.ended(container);
    } finally {
      table.ended(exit);
    }
  }

  /** The end of a program is reported next, and it goes on to answer its clients. */
  void answersLate(HostedContainer container) {
    lateAnswers.begin(container);
  }

  /** Nothing of a container is left. */
  void gone(HostedContainer container) {
    lateAnswers.end(container);
  }

  /** A task has been reported as ended while threads of it still run. */
  void lingers(HostedContainer container, List<Thread> threads) {
    synchronized (lingering) {
      lingering.add(container);
    }
    LOG.warn("{} has ended but {} of its threads run on: {}", container, threads.size(), threads);
    drain("threads of " + container.name() + " ignored its end");
  }

  /** The last of such threads is gone. */
  void vanished(HostedContainer container) {
    synchronized (lingering) {
      lingering.remove(container);
    }
  }

  /**
   * Judges a task that met an OutOfMemoryError. The heap is shared, so it may be another one's
   * fault; then this one is run again elsewhere. The engine is drained: shared code that the error
   * passed through may be left half done.
   *
   * @return whether the task is to blame
   */
  @Override
  public boolean isToBlame(HostedContainer container, OutOfMemoryError error) {
    boolean guilty =
        surroundings.memory() == null || surroundings.memory().heap().isToBlame(container, error);
    drain("out of memory in " + container.name());
    return guilty;
  }

  CollectionShares collections() {
    return collections;
  }

  public int runningCount() {
    return table.runningCount();
  }

  /**
   * Waits for a while, or until the engine has been drained, is empty, and answers nobody any more;
   * whether it is so.
   */
  public boolean awaitOver(long ms) throws InterruptedException {
    table.awaitChange(ms);
    return table.isOver() && lateAnswers.awaitNone(ms);
  }

  /** Frees what belongs to jobs that are over; may be held up by a disk. */
  public void forgetEndedJobs() {
    if (surroundings.memory() != null) {
      surroundings.memory().forgetEndedJobs();
    }
  }

  /**
   * Drains a host that has nothing to do and has more heap than hosts may have while idle. It grew
   * for a job, whose container reserved as much; now nobody has reserved it, and JVMs keep it.
   */
  private void giveHeapBack() {
    boolean isIdleHost = surroundings.memory() == null && table.runningCount() == 0;
    long idleMb = EngineKeys.APP_MASTER_HOST_HEAP_MB.get(conf);
    if (isIdleHost && vitals.grownHeapMb() > idleMb) {
      drain(
          "its heap has grown above "
              + idleMb
              + " MiB, which is more than an idle host may keep ("
              + EngineKeys.APP_MASTER_HOST_HEAP_MB.name()
              + ")");
    }
  }

  /** What an engine has to look after about once a second. */
  public void lookAfter() {
    if (surroundings.memory() != null) {
      surroundings.memory().tick();
    }
    checkDescriptors();
    childrenLimit.look(table.running());
    giveHeapBack();
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
