// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.mammoth.engine.memory.MemoryDecision.Action;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks memory back, outside the scheduler's lock and by one thread at a time. What a holder has
 * promised counts as coming until {@link #PROMISE_NANOS} have passed: a promise that is not kept
 * must not keep others from being asked.
 */
final class Revoker {

  static final long PROMISE_NANOS = 2_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(Revoker.class);

  /** A revocable and the source its units come back to. */
  private record Holder(Revocable revocable, PooledSource source) {}

  private final ReentrantLock lock;
  private final MemoryState state;
  private final PressureGauge pressure;
  private final DecisionLog decisions;
  private final LongSupplier clock;
  private final int unitBytes;

  /**
   * Revocations of Receive and Send ask for at least this much, so that a spill is worth a seek.
   */
  private final long batch;

  @GuardedBy("lock")
  private final List<Holder> holders = new ArrayList<>();

  @GuardedBy("lock")
  private Thread running;

  @GuardedBy("lock")
  private boolean again;

  Revoker(
      ReentrantLock lock,
      MemoryState state,
      PressureGauge pressure,
      DecisionLog decisions,
      LongSupplier clock,
      int unitBytes) {
    this.lock = lock;
    this.state = state;
    this.pressure = pressure;
    this.decisions = decisions;
    this.clock = clock;
    this.unitBytes = unitBytes;
    this.batch = Math.max(1, Math.min(32, state.total() / 64));
  }

  /** Under the scheduler's lock. */
  @SuppressWarnings("GuardedBy") // the scheduler's lock is this one, which the checker cannot know
  Registration register(Revocable revocable, PooledSource source) {
    Holder holder = new Holder(revocable, source);
    holders.add(holder);
    return () -> {
      lock.lock();
      try {
        holders.remove(holder);
      } finally {
        lock.unlock();
      }
    };
  }

  /** Under the scheduler's lock: nothing more is asked of a source that has ended. */
  @SuppressWarnings("GuardedBy") // the scheduler's lock is this one, which the checker cannot know
  void forget(PooledSource source) {
    holders.removeIf(holder -> holder.source == source);
  }

  /** Whether this thread is inside a {@link Revocable}. Under the scheduler's lock. */
  @SuppressWarnings("GuardedBy") // the scheduler's lock is this one, which the checker cannot know
  boolean isRevoking() {
    return running == Thread.currentThread();
  }

  /**
   * Revokes what is missing now. Returns at once if another thread is at it, which then looks
   * again.
   *
   * @param missed a source that was just refused and will not wait, or null
   */
  void balance(PooledSource missed) {
    PooledSource refused = missed;
    lock.lock();
    try {
      if (running != null) {
        again = true;
        return;
      }
      running = Thread.currentThread();
    } finally {
      lock.unlock();
    }
    boolean ended = false;
    try {
      do {
        round(refused);
        refused = null;
        ended = !another();
      } while (!ended);
    } finally {
      if (!ended) {
        lock.lock();
        try {
          running = null;
        } finally {
          lock.unlock();
        }
      }
    }
  }

  private boolean another() {
    lock.lock();
    try {
      if (!again) {
        running = null;
      }
      boolean more = again;
      again = false;
      return more;
    } finally {
      lock.unlock();
    }
  }

  private void round(PooledSource missed) {
    Demand demand;
    LeaseOwner who;
    Map<BufferKind, List<Holder>> victims = new EnumMap<>(BufferKind.class);
    List<Holder> unfair;
    lock.lock();
    try {
      demand = Demand.of(state, pressure, missed, promised());
      if (demand.isNone()) {
        return;
      }
      who = missed != null ? missed.owner : firstWaiting();
      for (BufferKind kind : List.of(BufferKind.RECEIVE, BufferKind.SEND, BufferKind.SORT)) {
        victims.put(kind, inOrder(kind));
      }
      unfair = missed == null ? List.of() : overShare(victims.get(BufferKind.SEND), missed.job);
    } finally {
      lock.unlock();
    }
    for (Map.Entry<PooledSource, Long> own : demand.own().entrySet()) {
      for (Holder holder : victims.get(BufferKind.RECEIVE)) {
        if (holder.source == own.getKey()) {
          ask(holder, own.getValue(), holder.source.owner, MemoryRule.OWN_QUOTA);
        }
      }
    }
    long any = demand.anyKind();
    long send = demand.notSort();
    long receive = demand.receive();
    long got = stage(victims.get(BufferKind.RECEIVE), any + send + receive, true, who, demand);
    long rest = Math.max(0, any - got);
    long sendRest = Math.max(0, send - Math.max(0, got - any));
    got = stage(victims.get(BufferKind.SEND), rest + sendRest, true, who, demand);
    stage(victims.get(BufferKind.SORT), Math.max(0, rest - got), false, who, demand);
    stageUnfair(unfair, demand.unfair(), who, demand);
  }

  /** Asks jobs for what they hold beyond their share and no more, unless it would not suffice. */
  private void stageUnfair(List<Holder> victims, long units, LeaseOwner who, Demand demand) {
    Map<JobAccount, Long> beyond = new IdentityHashMap<>();
    victims.forEach(victim -> beyond.computeIfAbsent(victim.source.job, this::beyondShare));
    long all = beyond.values().stream().mapToLong(Long::longValue).sum();
    long left = units > 0 && units <= all ? Math.max(units, batch) : 0;
    for (Holder victim : victims) {
      JobAccount job = victim.source.job;
      long wanted = Math.min(left, beyond.get(job));
      if (wanted > 0) {
        long got = ask(victim, wanted, who, demand.rule());
        left -= got;
        beyond.merge(job, -got, Long::sum);
      }
    }
  }

  private long beyondShare(JobAccount job) {
    lock.lock();
    try {
      return Math.round(state.overShare(job) * state.total());
    } finally {
      lock.unlock();
    }
  }

  /** Those of other jobs that hold more than their share. Under the scheduler's lock. */
  private List<Holder> overShare(List<Holder> holders, JobAccount but) {
    return holders.stream()
        .filter(holder -> holder.source.job != but && state.overShare(holder.source.job) > 0)
        .toList();
  }

  /** Asks one kind's holders in their order and returns how many units they promised. */
  private long stage(
      List<Holder> victims, long units, boolean batched, LeaseOwner who, Demand demand) {
    long got = 0;
    long wanted = units > 0 && batched ? Math.max(units, batch) : units;
    for (Holder victim : victims) {
      if (got >= wanted) {
        break;
      }
      got += ask(victim, wanted - got, who, demand.rule());
    }
    return got;
  }

  private long ask(Holder victim, long units, LeaseOwner who, MemoryRule rule) {
    PooledSource source = victim.source;
    long before;
    lock.lock();
    try {
      before = source.returned;
      if (source.held <= source.promised) {
        return 0;
      }
    } finally {
      lock.unlock();
    }
    long bytes;
    try {
      long wanted = Math.min(units * unitBytes, victim.revocable.revocableBytes());
      bytes = wanted <= 0 ? 0 : victim.revocable.revoke(wanted);
    } catch (RuntimeException e) {
      // Its own task hears of it when it next uses the file; whoever asked must go on.
      LOG.warn("{} of {} failed to give memory back", source.kind, source.owner, e);
      return 0;
    }
    long promised = (bytes + unitBytes - 1) / unitBytes;
    if (promised <= 0) {
      return 0;
    }
    lock.lock();
    try {
      long now = clock.getAsLong();
      long coming = Math.max(0, promised - (source.returned - before));
      source.promised = Math.min(source.held, source.promised + coming);
      source.promisedAt = now;
      decisions.add(
          new MemoryDecision(
              now,
              Action.REVOKE,
              rule == MemoryRule.PRIORITY || rule == MemoryRule.OWN_QUOTA ? who : null,
              source.kind,
              promised * unitBytes,
              rule,
              source.owner,
              0));
    } finally {
      lock.unlock();
    }
    return promised;
  }

  private long promised() {
    long now = clock.getAsLong();
    long sum = 0;
    for (PooledSource source : state.sources) {
      if (source.promised > 0 && now - source.promisedAt > PROMISE_NANOS) {
        source.promised = 0;
      }
      sum += source.promised;
    }
    return sum;
  }

  private LeaseOwner firstWaiting() {
    return state.waiting.isEmpty() ? null : state.waiting.get(0).source.owner;
  }

  /** The job furthest over its weighted share first, then the attempt that holds most. */
  @GuardedBy("lock")
  private List<Holder> inOrder(BufferKind kind) {
    Map<Holder, Double> over = new IdentityHashMap<>();
    List<Holder> ordered = new ArrayList<>();
    for (Holder holder : holders) {
      if (holder.source.kind == kind) {
        over.put(holder, state.overShare(holder.source.job));
        ordered.add(holder);
      }
    }
    ordered.sort(
        Comparator.<Holder>comparingDouble(holder -> -over.get(holder))
            .thenComparing(holder -> -holder.source.held));
    return ordered;
  }
}
