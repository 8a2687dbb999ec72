// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.readings;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.api.status.EngineDecisions;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.StatusJson;
import org.mammoth.engine.memory.DecisionLog;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.MemoryDecision;
import org.mammoth.mapreduce.engine.containers.EngineVitals;
import org.mammoth.mapreduce.engine.containers.HostedContainer;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.mammoth.mapreduce.engine.memory.NodeMemory;

/**
 * What the engine tells about itself, to its NodeManager and over JMX. Thread-safe; stops no task
 * for longer than the copying of some numbers takes.
 */
public final class EngineReadings {

  /** Most decisions that one answer holds. */
  static final int MOST_DECISIONS = 4096;

  private final EngineVitals vitals;
  private final HostedContainers containers;
  private final NodeMemory memory;
  private final LongSupplier nanos;
  private final long originMs;
  private final StatusJson json = new StatusJson();

  /**
   * @param memory null in an engine that runs no tasks
   * @param nanos the clock of the memory's scheduler
   */
  public EngineReadings(
      EngineVitals vitals, HostedContainers containers, NodeMemory memory, LongSupplier nanos) {
    this.vitals = vitals;
    this.containers = containers;
    this.memory = memory;
    this.nanos = nanos;
    this.originMs = vitals.nowMs() - TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong());
  }

  /** An {@link EngineSnapshot} as JSON. */
  public String snapshotJson() {
    return json.write(snapshot());
  }

  public EngineSnapshot snapshot() {
    HostedContainers.Situation now = containers.situation();
    Set<String> running = new HashSet<>();
    List<EngineSnapshot.Task> tasks = new ArrayList<>();
    for (HostedContainer container : now.running()) {
      running.add(container.name());
      tasks.add(container.row());
    }
    MemoryReadings of = memory == null ? null : new MemoryReadings(memory);
    return new EngineSnapshot(
        StatusJson.VERSION,
        vitals.engineId(),
        vitals.user(),
        ProcessHandle.current().pid(),
        vitals.nowMs(),
        vitals.startedMs(),
        now.drainReason(),
        vitals.counts(tasks.size(), now.lingering()),
        vitals.jvm(),
        of == null ? null : of.memory(running::contains),
        of == null ? null : of.elements(),
        of == null ? null : of.send(),
        of == null ? null : of.dataCache(),
        of == null ? List.of() : of.disks(),
        tasks);
  }

  /**
   * {@link EngineDecisions} as JSON.
   *
   * @param from number of the first, or less than 0 for the latest
   * @param atMost how many at most, bounded by {@link #MOST_DECISIONS}
   */
  public String decisionsJson(long from, int atMost) {
    return json.write(decisions(from, atMost));
  }

  EngineDecisions decisions(long from, int atMost) {
    List<EngineDecisions.Decision> decisions = new ArrayList<>();
    long next = 0;
    if (memory != null) {
      DecisionLog log = memory.scheduler().decisions();
      for (DecisionLog.Numbered event :
          log.since(from, Math.max(0, Math.min(atMost, MOST_DECISIONS)))) {
        decisions.add(row(event));
      }
      next = log.total();
    }
    return new EngineDecisions(StatusJson.VERSION, vitals.engineId(), next, decisions);
  }

  private EngineDecisions.Decision row(DecisionLog.Numbered event) {
    MemoryDecision decision = event.decision();
    LeaseOwner who = decision.who();
    LeaseOwner victim = decision.victim();
    return new EngineDecisions.Decision(
        event.sequence(),
        originMs + TimeUnit.NANOSECONDS.toMillis(decision.nanos()),
        decision.action().name(),
        who == null ? "" : who.user(),
        who == null ? "" : who.job(),
        who == null ? "" : who.attempt(),
        decision.kind() == null ? "" : decision.kind().name(),
        decision.bytes(),
        decision.rule().name(),
        victim == null ? "" : victim.job(),
        victim == null ? "" : victim.attempt(),
        TimeUnit.NANOSECONDS.toMillis(decision.waitedNanos()));
  }
}
