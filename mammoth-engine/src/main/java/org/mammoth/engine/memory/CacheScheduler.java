// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.mammoth.engine.memory.MemoryDecision.Action;
import org.mammoth.engine.memory.PooledSource.Stage;

/**
 * Who may take units of the cache pool (Mammoth paper, Shi et al. 2015, §4.2.1, §4.3): a central
 * manager divides the pool between maps and reduces, a map and a reduce manager grant units. Grants
 * go Sort before Send before Receive, revocation the other way round.
 *
 * <p>One lock, taken once per unit (2 MiB by default), never per record, and never while calling a
 * {@link Revocable}, a {@link CacheFile} or a listener; only the holder of {@link SpareUnits} is
 * asked under it, which answers at once. The pool must be used by nobody else. Any thread.
 */
public final class CacheScheduler {

  /** How often a waiting request makes sure that what it waits for is still coming. */
  private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ReentrantLock lock = new ReentrantLock();
  private final CachePool pool;
  private final Ledger ledger;
  private final LongSupplier clock;
  private final MemoryState state;
  private final GrantRules rules;
  private final PressureGauge pressure;
  private final DecisionLog decisions;
  private final Revoker revoker;
  private final SpareUnits spares;
  private final List<PressureListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * A scheduler over an unused pool.
   *
   * @param ledger must have as much of its cap free as the pool is large
   * @param clock nanoseconds from any origin, never running backwards; for events and promises
   */
  public CacheScheduler(
      CachePool pool, Ledger ledger, SchedulerSettings settings, LongSupplier clock) {
    this.pool = pool;
    this.ledger = ledger;
    this.clock = clock;
    ledger.fencePool((long) pool.unitBytes() * pool.units());
    this.state = new MemoryState(pool.units(), settings.guaranteedUnits(), settings.split());
    this.rules = new GrantRules(state);
    this.pressure = new PressureGauge(settings.highWatermark(), settings.lowWatermark());
    this.decisions = new DecisionLog(settings.decisions());
    this.revoker = new Revoker(lock, state, pressure, decisions, clock, pool.unitBytes());
    this.spares = new SpareUnits(lock, state, pool, ledger, this::serve);
  }

  /**
   * A map attempt starts.
   *
   * @param weight of its job among the jobs of the node, from queue and priority; above 0
   */
  public MapMemory registerMap(LeaseOwner owner, double weight) {
    lock.lock();
    try {
      JobAccount job = state.job(owner, checked(weight));
      MapMemory map =
          new MapMemory(
              this, source(owner, BufferKind.SORT, job), source(owner, BufferKind.SEND, job));
      state.maps.register(map);
      return map;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A reduce attempt starts.
   *
   * @param weight of its job among the jobs of the node, from queue and priority; above 0
   */
  public ReduceMemory registerReduce(LeaseOwner owner, double weight) {
    lock.lock();
    try {
      JobAccount job = state.job(owner, checked(weight));
      ReduceMemory reduce = new ReduceMemory(this, source(owner, BufferKind.RECEIVE, job));
      state.reduces.register(reduce);
      return reduce;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes known what can be asked back. It is forgotten when its source ends or when the
   * registration is closed.
   *
   * @throws IllegalStateException if its owner has no buffer of its kind
   */
  public Registration register(Revocable revocable) {
    lock.lock();
    try {
      for (PooledSource source : state.sources) {
        if (source.kind == revocable.kind()
            && source.owner.equals(revocable.owner())
            && source.stage != Stage.ENDED) {
          return revoker.register(revocable, source);
        }
      }
    } finally {
      lock.unlock();
    }
    throw new IllegalStateException(
        revocable.owner() + " has no " + revocable.kind() + " buffer to be revoked");
  }

  public void addPressureListener(PressureListener listener) {
    listeners.add(listener);
  }

  /**
   * Makes sure that what waiting requests need is being freed, and that the pool is not nearly full
   * without need. Cheap if there is nothing to do. Call it when more has become revocable.
   */
  public void balance() {
    revoker.balance(null);
  }

  /**
   * Lends {@code units} of the pool at most until told otherwise: the node's other users have the
   * rest. What is lent beyond that is asked back from Receive and Send buffers and refused until
   * then; it can stay lent for as long as running maps sort in it.
   *
   * @param units at least the guaranteed minimum of all maps that may run, or those that run may
   *     come to a standstill
   * @throws IllegalArgumentException if that is less than 1 or more than the pool has
   */
  public void limitTo(long units) {
    boolean changed;
    lock.lock();
    try {
      if (units == state.total()) {
        return;
      }
      state.central.limit(units);
      state.reduces.changed();
      spares.makeRoom(0);
      serve();
      changed = pressure.read(state.lent(), state.total());
    } finally {
      lock.unlock();
    }
    tell(changed);
    revoker.balance(null);
  }

  /** A job has ended: all it holds comes back at once, its waiting requests end. */
  public void endJob(String job) {
    List<PooledSource> all = new ArrayList<>();
    lock.lock();
    try {
      for (MapMemory map : new ArrayList<>(state.maps.running())) {
        if (map.job().job.equals(job)) {
          state.maps.unregister(map);
        }
      }
      for (ReduceMemory reduce : new ArrayList<>(state.reduces.running())) {
        if (reduce.job().job.equals(job)) {
          state.reduces.unregister(reduce);
        }
      }
      state.jobs.remove(job);
      for (PooledSource source : state.sources) {
        if (source.job.job.equals(job)) {
          all.add(source);
        }
      }
    } finally {
      lock.unlock();
    }
    all.forEach(source -> end(source, Stage.ENDED));
    ledger.endJob(job);
  }

  /** Quotas, totals, waiting requests and the last decisions. */
  public MemorySnapshot snapshot() {
    lock.lock();
    try {
      return new MemorySnapshot(
          state, pressure.pressed(), pool.unitBytes(), ledger, decisions, clock.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Whether the pool is nearly full: above the high watermark and not yet below the low one. */
  public boolean underPressure() {
    lock.lock();
    try {
      return pressure.pressed();
    } finally {
      lock.unlock();
    }
  }

  /** What nobody needs of the pool, for the data cache. */
  public SpareUnits spares() {
    return spares;
  }

  /** Bytes of the pool for each running reduce. */
  long roomOfReduce() {
    lock.lock();
    try {
      return state.roomOfReduce() * pool.unitBytes();
    } finally {
      lock.unlock();
    }
  }

  public DecisionLog decisions() {
    return decisions;
  }

  public int unitBytes() {
    return pool.unitBytes();
  }

  CacheUnit poll(PooledSource source) {
    CacheUnit unit = null;
    boolean changed;
    boolean missed = false;
    lock.lock();
    try {
      source.mustBeOpen();
      long now = clock.getAsLong();
      MemoryRule rule = rules.decidePoll(source, now);
      if (rule.grants()) {
        unit = grant(source, rule, 0);
        rules.served(source);
      } else {
        // Nobody has to give anything to a job that has its share.
        missed = rule != MemoryRule.SHARE;
        if (missed) {
          source.job.refused(source.kind, now);
        }
        record(Action.REFUSE, source, 1, rule, null, 0);
      }
      changed = pressure.read(state.lent(), state.total());
    } finally {
      lock.unlock();
    }
    tell(changed);
    if (changed || missed) {
      revoker.balance(missed ? source : null);
    }
    return unit;
  }

  /** A request that has been granted, or waits; {@link #take} for those who do not block. */
  Ticket request(PooledSource source) {
    Ticket ticket = new Ticket(source, lock.newCondition(), clock.getAsLong());
    boolean queued = false;
    try {
      queue(ticket);
      queued = true;
    } finally {
      if (!queued) {
        // Nobody would ever ask for what it is granted.
        cancel(ticket);
      }
    }
    return ticket;
  }

  private void queue(Ticket ticket) {
    PooledSource source = ticket.source;
    boolean changed;
    lock.lock();
    try {
      source.mustBeOpen();
      if (revoker.isRevoking()) {
        throw new IllegalStateException(
            source.owner + " waits for the cache pool while it is to give memory back");
      }
      state.waiting.add(ticket);
      serve();
      if (ticket.pending()) {
        record(Action.WAIT, source, 1, rules.decide(source, true), null, 0);
      }
      changed = pressure.read(state.lent(), state.total());
    } finally {
      lock.unlock();
    }
    tell(changed);
    if (changed || ticket.pending()) {
      revoker.balance(null);
    }
  }

  CacheUnit take(PooledSource source) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException(source.owner + " was ended before it asked for memory");
    }
    Ticket ticket = request(source);
    boolean done = false;
    try {
      while (!await(ticket)) {
        revoker.balance(null);
      }
      done = true;
    } finally {
      if (!done) {
        cancel(ticket);
      }
    }
    if (ticket.failure != null) {
      throw ticket.failure;
    }
    if (ticket.unit == null) {
      source.mustBeOpen();
    }
    return ticket.unit;
  }

  /** Waits a while for a decision and says whether there is one. */
  private boolean await(Ticket ticket) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (ticket.pending()) {
        ticket.changed.awaitNanos(RECHECK_NANOS);
      }
      return !ticket.pending();
    } finally {
      lock.unlock();
    }
  }

  /** Ends a request whose thread was interrupted; a unit granted meanwhile goes back. */
  void cancel(Ticket ticket) {
    CacheUnit late;
    lock.lock();
    try {
      state.waiting.remove(ticket);
      ticket.cancelled = true;
      late = ticket.unit;
      ticket.unit = null;
    } finally {
      lock.unlock();
    }
    if (late != null) {
      give(ticket.source, late);
    }
  }

  void give(PooledSource source, CacheUnit unit) {
    boolean changed;
    lock.lock();
    try {
      if (source.held == 0) {
        throw new IllegalStateException(
            "a unit was given back to the "
                + source.kind
                + " buffer of "
                + source.owner
                + ", which holds none");
      }
      pool.give(unit);
      state.charge(source, -1);
      source.lease.release(pool.unitBytes());
      settle(source);
      serve();
      changed = pressure.read(state.lent(), state.total());
    } finally {
      lock.unlock();
    }
    tell(changed);
  }

  void move(PooledSource from, PooledSource to, long bytes) {
    lock.lock();
    try {
      long units = bytes / pool.unitBytes();
      if (bytes < 0 || units * pool.unitBytes() != bytes) {
        throw new IllegalArgumentException(
            bytes + " bytes are not whole units of " + pool.unitBytes());
      }
      if (units > from.held) {
        throw new IllegalStateException(
            units + " units were moved by " + from.owner + ", which holds " + from.held);
      }
      to.mustBeOpen();
      from.lease.move(to.lease, bytes);
      state.charge(from, -units);
      state.charge(to, units);
      record(Action.MOVE, from, units, MemoryRule.HANDED_OVER, to.owner, 0);
      settle(from);
      serve();
    } finally {
      lock.unlock();
    }
  }

  void left(PooledSource source, long bytes) {
    decisions.add(
        new MemoryDecision(
            clock.getAsLong(),
            Action.LEAVE,
            source.owner,
            source.kind,
            bytes,
            MemoryRule.LEVITATED,
            null,
            0));
  }

  void opened(PooledSource source, CacheFile file) {
    lock.lock();
    try {
      source.mustBeOpen();
      source.files.add(file);
    } finally {
      lock.unlock();
    }
  }

  void closed(PooledSource source, CacheFile file) {
    lock.lock();
    try {
      source.files.remove(file);
    } finally {
      lock.unlock();
    }
  }

  void endMap(MapMemory map, boolean failed) {
    lock.lock();
    try {
      state.maps.unregister(map);
    } finally {
      lock.unlock();
    }
    end(map.sorts(), Stage.ENDED);
    end(map.sends(), failed ? Stage.ENDED : Stage.DRAINING);
  }

  void endReduce(ReduceMemory reduce) {
    lock.lock();
    try {
      state.reduces.unregister(reduce);
    } finally {
      lock.unlock();
    }
    end(reduce.receives(), Stage.ENDED);
  }

  long quota(ReduceMemory reduce) {
    lock.lock();
    try {
      state.quotas();
      return reduce.quotaUnits * pool.unitBytes();
    } finally {
      lock.unlock();
    }
  }

  void desire(ReduceMemory reduce, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a reduce cannot want " + bytes + " bytes");
    }
    lock.lock();
    try {
      long units = bytes / pool.unitBytes() + (bytes % pool.unitBytes() == 0 ? 0 : 1);
      reduce.desiredUnits = Math.min(ReduceMemory.ENDLESS, units);
      state.reduces.changed();
      serve();
    } finally {
      lock.unlock();
    }
  }

  private static double checked(double weight) {
    if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a job's weight is " + weight + ", it must be above 0");
    }
    return weight;
  }

  private PooledSource source(LeaseOwner owner, BufferKind kind, JobAccount job) {
    PooledSource source = new PooledSource(this, owner, kind, job, ledger.open(owner, kind));
    state.sources.add(source);
    return source;
  }

  /** Gives every unit there is to the requests that may have one. Under the lock. */
  private void serve() {
    Ticket next = state.waiting.isEmpty() ? null : rules.next();
    while (next != null) {
      MemoryRule rule = rules.ruleFor(next);
      state.waiting.remove(next);
      try {
        next.unit = grant(next.source, rule, clock.getAsLong() - next.since);
        rules.served(next.source);
      } catch (OutOfMemoryError e) {
        // For whoever waits for the unit, not for whoever happened to give one back.
        next.failure = e;
      }
      next.changed.signalAll();
      next = state.waiting.isEmpty() ? null : rules.next();
    }
  }

  private CacheUnit grant(PooledSource source, MemoryRule rule, long waited) {
    spares.makeRoom(1);
    CacheUnit unit = pool.poll();
    if (unit == null || !source.lease.tryAcquire(pool.unitBytes())) {
      if (unit != null) {
        pool.give(unit);
      }
      throw new IllegalStateException(
          "the cache pool has "
              + pool.freeUnits()
              + " free units, its scheduler counts "
              + state.free()
              + ": somebody else takes from it");
    }
    state.charge(source, 1);
    record(Action.GRANT, source, 1, rule, null, waited);
    return unit;
  }

  private void end(PooledSource source, Stage stage) {
    List<CacheFile> left;
    boolean changed;
    lock.lock();
    try {
      if (source.stage.compareTo(stage) < 0) {
        source.stage = stage;
        record(Action.END, source, source.held, MemoryRule.ENDED, null, 0);
      }
      for (Ticket ticket : new ArrayList<>(state.waiting)) {
        if (ticket.source == source) {
          state.waiting.remove(ticket);
          ticket.cancelled = true;
          ticket.changed.signalAll();
        }
      }
      left = stage == Stage.ENDED ? new ArrayList<>(source.files) : List.of();
      settle(source);
      serve();
      changed = pressure.read(state.lent(), state.total());
    } finally {
      lock.unlock();
    }
    tell(changed);
    left.forEach(CacheFile::close);
  }

  /** Ends the lease of a source that has ended, as soon as its last unit is back. */
  private void settle(PooledSource source) {
    if (source.stage == Stage.ENDED) {
      revoker.forget(source);
    }
    if (source.stage != Stage.OPEN && source.held == 0) {
      source.lease.close();
      state.sources.remove(source);
      revoker.forget(source);
    }
  }

  private void tell(boolean changed) {
    if (changed) {
      boolean high = underPressure();
      listeners.forEach(listener -> listener.pressureChanged(high));
    }
  }

  private void record(
      Action action,
      PooledSource who,
      long units,
      MemoryRule rule,
      LeaseOwner victim,
      long waited) {
    decisions.add(
        new MemoryDecision(
            clock.getAsLong(),
            action,
            who.owner,
            who.kind,
            units * pool.unitBytes(),
            rule,
            victim,
            waited));
  }
}
