// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.mammoth.mpcache.config.PathRules;
import org.mammoth.mpcache.policy.Access;
import org.mammoth.mpcache.policy.Admission;
import org.mammoth.mpcache.policy.DataSet;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.policy.Decision;
import org.mammoth.mpcache.policy.Decision.Outcome;
import org.mammoth.mpcache.policy.ReplaceArbitrator;
import org.mammoth.mpcache.policy.ReplacementPolicy;
import org.mammoth.mpcache.simulation.TraceJob;
import org.mammoth.mpcache.slave.AccessEvent;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.MasterReply.Evict;
import org.mammoth.mpcache.slave.MasterReply.Fill;
import org.mammoth.mpcache.slave.MasterReply.Order;
import org.mammoth.mpcache.slave.SlaveReport;
import org.mammoth.mpcache.space.DynamicSpaceManager;

/**
 * The mpCache master: reports of slaves in, orders out. All of it is soft state; a master that
 * takes over asks each slave for its inventory, and only access history is lost.
 *
 * <p>Safe for any thread: one lock, no I/O under it but the resolver's look-ups, which must be in
 * memory.
 */
public final class MasterState {

  private static final int TRACE_ROUNDS = 2_000;

  private final long epoch;
  private final String pool;
  private final ReplaceArbitrator arbitrator;
  private final DynamicSpaceManager spaceManager;
  private final BlockResolver resolver;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private final RoundTracker rounds;

  @GuardedBy("this")
  private final Map<String, Integer> numbers = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, Long> incarnations = new HashMap<>();

  @GuardedBy("this")
  private final Set<Integer> inventoried = new HashSet<>();

  @GuardedBy("this")
  private final Map<Admission, Long> refusals = new EnumMap<>(Admission.class);

  @GuardedBy("this")
  private final Map<String, List<AccessEvent>> toWarm = new HashMap<>();

  @GuardedBy("this")
  private final Set<Integer> toFlush = new HashSet<>();

  @GuardedBy("this")
  private final Set<DataSetId> pins = new HashSet<>();

  @GuardedBy("this")
  private final TraceRing trace = new TraceRing(TRACE_ROUNDS);

  @GuardedBy("this")
  private PathRules rules;

  @GuardedBy("this")
  private int nextNumber;

  @GuardedBy("this")
  private long hits;

  @GuardedBy("this")
  private long misses;

  @GuardedBy("this")
  private long begun;

  @GuardedBy("this")
  private long begunComplete;

  /**
   * @param epoch greater than that of every master before it
   * @param pool the block pool of this NameNode; other blocks are ignored
   * @param nanoClock goes forward only, nanoseconds
   * @param roundRestNanos see {@link RoundTracker}
   */
  public MasterState(
      long epoch,
      String pool,
      ReplaceArbitrator arbitrator,
      DynamicSpaceManager spaceManager,
      BlockResolver resolver,
      PathRules rules,
      LongSupplier nanoClock,
      long roundRestNanos) {
    this.epoch = epoch;
    this.pool = pool;
    this.arbitrator = arbitrator;
    this.spaceManager = spaceManager;
    this.resolver = resolver;
    this.rules = rules;
    this.nanoClock = nanoClock;
    this.rounds = new RoundTracker(100_000, roundRestNanos);
  }

  /** Takes a slave's report in and answers it. */
  public MasterReply report(SlaveReport report) {
    return report(report, resolver);
  }

  /**
   * Takes a slave's report in and answers it.
   *
   * @param resolver knows the blocks of this report and those asked for by {@link #warm}, looked up
   *     before so that this lock is not held meanwhile
   */
  public synchronized MasterReply report(SlaveReport report, BlockResolver resolver) {
    Long before = incarnations.put(report.slave(), report.incarnation());
    if (before != null && before != report.incarnation()) {
      forget(report.slave());
      incarnations.put(report.slave(), report.incarnation());
    }
    int node = numbers.computeIfAbsent(report.slave(), name -> nextNumber++);
    spaceManager.reported(report.slave(), report.space());
    arbitrator.capacity(node, report.space().inputCapacity());
    for (BlockKey key : report.gone()) {
      if (key.pool().equals(pool)) {
        arbitrator.removed(key.blockId(), node);
      }
    }
    List<Order> orders = new ArrayList<>();
    if (report.inventory() != null) {
      restore(report.inventory(), resolver, node, orders);
    }
    if (!inventoried.contains(node)) {
      // What a slave holds must be known before anything is decided for it.
      return new MasterReply(epoch, orders, true);
    }
    long over = -arbitrator.availableBytes(node);
    if (over > 0) {
      evict(arbitrator.shrink(node, over), orders);
    }
    if (toFlush.remove(node)) {
      evict(arbitrator.takeMarked(node), orders);
    }
    for (AccessEvent event : report.accesses()) {
      if (event.key().pool().equals(pool)) {
        count(event);
        access(event, resolver, node, orders);
      }
    }
    for (AccessEvent event : toWarm.getOrDefault(report.slave(), List.of())) {
      access(event, resolver, node, orders);
    }
    toWarm.remove(report.slave());
    return new MasterReply(epoch, orders, false);
  }

  @GuardedBy("this")
  private void count(AccessEvent event) {
    if (event.hit()) {
      hits++;
    } else {
      misses++;
    }
  }

  @GuardedBy("this")
  private void restore(
      List<BlockKey> inventory, BlockResolver resolver, int node, List<Order> orders) {
    inventoried.add(node);
    PathRules now = rules;
    arbitrator.retain(node, inventory.stream().map(BlockKey::blockId).collect(Collectors.toSet()));
    for (BlockKey key : inventory) {
      if (!key.pool().equals(pool)) {
        continue;
      }
      Optional<BlockResolver.Located> located =
          resolver.resolve(key, "").filter(found -> now.cacheable(found.id()));
      if (located.isPresent()) {
        BlockResolver.Located found = located.get();
        arbitrator.restore(
            found.id(), found.blocks(), found.bytes(), key.blockId(), key.length(), node);
      } else {
        arbitrator.removed(key.blockId(), node);
        orders.add(new Evict(pool, key.blockId()));
      }
    }
  }

  @GuardedBy("this")
  private void access(AccessEvent event, BlockResolver resolver, int node, List<Order> orders) {
    BlockKey key = event.key();
    BlockResolver.Located located = resolver.resolve(key, event.reader()).orElse(null);
    if (located == null) {
      return;
    }
    if (!rules.cacheable(located.id())) {
      refusals.merge(Admission.EXCLUDED, 1L, Long::sum);
      return;
    }
    boolean begins =
        rounds.begins(event.reader(), located.id(), key.blockId(), nanoClock.getAsLong());
    Decision decision =
        arbitrator.access(
            new Access(
                located.id(),
                located.blocks(),
                located.bytes(),
                begins,
                pinned(located.id()),
                key.blockId(),
                key.length(),
                node));
    if (begins) {
      count(located, decision);
    }
    if (begins) {
      trace.add(located);
    }
    evict(decision.evict(), orders);
    if (decision.outcome() == Outcome.STORE || decision.outcome() == Outcome.HIT && !event.hit()) {
      // A hit in the books only: the order was lost, or is still being carried out.
      orders.add(new Fill(key));
    } else if (decision.outcome() == Outcome.PASS && event.hit()) {
      // The slave has a copy that is in nobody's books.
      orders.add(new Evict(pool, key.blockId()));
    }
  }

  @GuardedBy("this")
  private void count(BlockResolver.Located located, Decision decision) {
    begun++;
    boolean complete =
        decision.outcome() == Outcome.HIT && arbitrator.dataSet(located.id()).complete();
    begunComplete += complete ? 1 : 0;
    if (!decision.reason().admits()) {
      refusals.merge(decision.reason(), 1L, Long::sum);
    }
  }

  private void evict(long[] blocks, List<Order> orders) {
    for (long block : blocks) {
      orders.add(new Evict(pool, block));
    }
  }

  /**
   * A slave needs space for localized data (mpCache paper, Wang et al. 2016, §3.2).
   *
   * @return what it shall drop, perhaps less than it asked for
   */
  public synchronized MasterReply makeRoom(String slave, long bytes) {
    List<Order> orders = new ArrayList<>();
    Integer node = numbers.get(slave);
    if (node != null && bytes > 0) {
      evict(arbitrator.shrink(node, bytes), orders);
    }
    return new MasterReply(epoch, orders, false);
  }

  /**
   * Evicts every data set at or below a path, pinned or not. Slaves hear of it with their next
   * report.
   *
   * @return how many copies leave
   */
  public synchronized int evict(DataSetId path) {
    int copies = 0;
    for (DataSet set : List.copyOf(arbitrator.dataSets())) {
      if (set.cached() && set.id().isUnder(path)) {
        copies += drop(set);
      }
    }
    return copies;
  }

  @GuardedBy("this")
  private int drop(DataSet set) {
    Set<Integer> nodes = toFlush;
    set.forEachCopy(copy -> nodes.add(copy.node()));
    return arbitrator.drop(set);
  }

  /**
   * Changes the rules, and the policy if there is another. What may no longer be cached leaves;
   * slaves hear of it with their next report. Pins made by {@link #pin} stay.
   *
   * @param next the rules from now on
   * @param policy the policy from now on, over the facility of this master's arbitrator; null if it
   *     is the one there was
   * @return how many copies leave
   */
  public synchronized int reconfigure(PathRules next, ReplacementPolicy policy) {
    rules = next;
    if (policy != null) {
      arbitrator.policy(policy);
    }
    repin();
    int copies = 0;
    for (DataSet set : List.copyOf(arbitrator.dataSets())) {
      if (set.cached() && !rules.cacheable(set.id())) {
        copies += drop(set);
      }
    }
    return copies;
  }

  /**
   * Pins the data sets at and below a path, or takes such a pin back. Pins of the configuration are
   * not touched, and this one is soft state as all in here: gone with this master.
   *
   * @return how many known data sets are pinned now and were not, or the reverse
   */
  public synchronized int pin(DataSetId path, boolean on) {
    if (on) {
      pins.add(path);
    } else {
      pins.remove(path);
    }
    return repin();
  }

  private int repin() {
    int changed = 0;
    for (DataSet set : List.copyOf(arbitrator.dataSets())) {
      boolean pinned = pinned(set.id());
      if (set.pinned() != pinned) {
        changed++;
        arbitrator.pin(set, pinned);
      }
    }
    return changed;
  }

  /** Whether a data set is pinned, by the configuration or by {@link #pin}. */
  public synchronized boolean pinned(DataSetId set) {
    return rules.pinned(set) || pins.stream().anyMatch(set::isUnder);
  }

  /** The last reads of whole data sets, at most 2000, the oldest first. */
  public synchronized List<TraceJob> trace() {
    return trace.rounds();
  }

  /**
   * Has blocks cached by a slave as if it had read them, by the same admission; with the slave's
   * next report. Nothing happens if the slave does not report again.
   *
   * @param request distinguishes one request from others, as a job's id does
   */
  public synchronized void warm(String slave, List<BlockKey> keys, String request) {
    List<AccessEvent> events = toWarm.computeIfAbsent(slave, name -> new ArrayList<>());
    keys.forEach(key -> events.add(new AccessEvent(key, request, false)));
  }

  /** What {@link #warm} has waiting for a slave. */
  public synchronized List<BlockKey> toWarm(String slave) {
    return toWarm.getOrDefault(slave, List.of()).stream().map(AccessEvent::key).toList();
  }

  /** A job has ended; kept as history. */
  public synchronized void ended(DynamicSpaceManager.JobRecord job) {
    spaceManager.ended(job);
  }

  /** A slave has not reported for too long: what it holds no longer counts. */
  public synchronized void forget(String slave) {
    incarnations.remove(slave);
    Integer node = numbers.remove(slave);
    if (node != null) {
      inventoried.remove(node);
      toFlush.remove(node);
      toWarm.remove(slave);
      arbitrator.forget(node);
      spaceManager.forget(slave);
    }
  }

  /** What there is to show; walks all data sets. */
  public synchronized MasterView view() {
    List<MasterView.SetView> sets = new ArrayList<>();
    ArrayDeque<DataSet> absent = new ArrayDeque<>();
    int known = 0;
    for (DataSet set : arbitrator.dataSets()) {
      known++;
      if (set.cached()) {
        sets.add(MasterView.SetView.of(set));
      } else {
        // the facility tells of sets in the order they were read in
        absent.addFirst(set);
        if (absent.size() > MasterView.ABSENT) {
          absent.removeLast();
        }
      }
    }
    sets.sort(
        Comparator.comparingLong(MasterView.SetView::copyBytes)
            .reversed()
            .thenComparing(MasterView.SetView::path));
    return new MasterView(
        arbitrator.policyName(),
        epoch,
        known,
        sets.size(),
        (int) sets.stream().filter(MasterView.SetView::complete).count(),
        arbitrator.markedBytes(),
        hits,
        misses,
        begunComplete,
        begun,
        Map.copyOf(refusals),
        new TreeMap<>(spaceManager.slaves()),
        List.copyOf(sets),
        absent.stream().map(MasterView.SetView::of).toList());
  }
}
