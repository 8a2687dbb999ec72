// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.mammoth.engine.admission.HeapAdmission;
import org.mammoth.engine.admission.HeapEstimate;
import org.mammoth.engine.admission.HeapShares;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps tasks from taking each other's part of the heap they share. What a process would have had
 * is a task's promise. When the heap runs short, the task furthest above its promise fails as its
 * process would have; if none is above, the one that holds most is run again. Short is a heap that
 * a full collection leaves fuller than its limit, or in which some task has met an
 * OutOfMemoryError, whoever that was.
 *
 * <p>Thread-safe. Decisions are made on one thread of its own, one at a time.
 */
public final class HeapKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(HeapKeeper.class);

  private static final long MIB = 1L << 20;

  /** The message of a JVM's error for a heap that is exhausted. */
  static final String EXHAUSTED = "Java heap space";

  private static final List<String> OF_THE_HEAP = List.of(EXHAUSTED, "GC overhead limit exceeded");

  /** What a process has to itself and an engine has once; the messages of JDK 17. */
  private static final Pattern OF_THE_ENGINE =
      Pattern.compile(".*(Metaspace|Compressed class space|native thread|direct buffer memory).*");

  private static final long JUDGEMENT_MAY_TAKE_MS = 30_000;
  private static final long CERTAIN_AGAIN_MS = 200;
  private static final long ENDING_MAY_TAKE_MS = 60_000;
  private static final long LOOK_AGAIN_MS = 1_000;
  private static final long COLLECT_AGAIN_MS = 500;

  /** Of the time, full collections that launches ask for may take one part of so many. */
  private static final long COLLECTING_PART = 20;

  /** What an engine has on the heap for itself beside its buffers, before it could be measured. */
  private static final long CLASSES_AND_CACHES = 128 * MIB;

  /** Where who holds what begins to be watched: a part of what tasks may hold. */
  private static final double WATCHED = 0.5;

  private final HeapPools pools;
  private final LongSupplier nanos;
  private final ExecutorService thread;
  private final long loneTaskBytes;
  private final long buffersBytes;
  private final double limitFraction;
  private final HeapHolders holders;

  private volatile HeapAdmission admission;
  private volatile long ownBytes;
  private volatile long limitBytes = Long.MAX_VALUE;
  private volatile long liveBytes;
  private volatile long collectedNanos;

  /** How long launches leave the heap alone after a full collection. */
  private volatile long collectAgainMs = COLLECT_AGAIN_MS;

  /** A task has ended since the last full collection, so less may be alive. */
  private volatile boolean endedSince;

  /**
   * The task that was ended last; its name only, as whoever holds the task holds all it has leaked.
   */
  private volatile Sentence last = new Sentence("", 0, true);

  /** A full collection is to be looked at already. */
  private final AtomicBoolean lookPending = new AtomicBoolean();

  /**
   * A task that is being ended.
   *
   * @param sinceNanos when that began, or when it was gone
   */
  private record Sentence(String task, long sinceNanos, boolean gone) {}

  /**
   * What is found out about who holds the heap.
   *
   * @param worst the task furthest above its promise
   * @param all what each is taken to hold; none where the first needed no estimate
   */
  private record Verdict(Optional<HeapEstimate> worst, List<HeapEstimate> all) {}

  /**
   * @param loneTaskBytes see {@link HeapAdmission}
   * @param buffersBytes of the heap that are the engine's for good
   * @param limitFraction of the largest heap, that may be alive after a full collection
   * @param thread runs one thing at a time, outside any task's thread group
   * @param nanos as {@link System#nanoTime}
   */
  public HeapKeeper(
      HeapPools pools,
      long loneTaskBytes,
      long buffersBytes,
      double limitFraction,
      ExecutorService thread,
      LongSupplier nanos) {
    this.pools = pools;
    this.loneTaskBytes = loneTaskBytes;
    this.buffersBytes = buffersBytes;
    this.limitFraction = limitFraction;
    this.thread = thread;
    this.nanos = nanos;
    this.holders = new HeapHolders(nanos);
    this.admission = new HeapAdmission(loneTaskBytes, 0, Long.MAX_VALUE);
    this.collectedNanos = nanos.getAsLong();
  }

  /**
   * Begins to watch; called once, when the engine has all it needs for itself and the heap has been
   * collected.
   */
  public void watch(Optional<? extends HeapHolders.Samples> sampler) {
    sampler.ifPresent(holders::read);
    liveBytes = pools.usedBytes();
    limitBytes = (long) (limitFraction * pools.maxBytes());
    // Tasks may be at work already, and what they hold is not the engine's.
    own(Math.min(liveBytes, buffersBytes + CLASSES_AND_CACHES));
    LOG.info(
        "Of {} MiB of heap the engine itself holds {}; above {} after a full collection the task"
            + " that is furthest above its own -Xmx is ended",
        pools.maxBytes() / MIB,
        ownBytes / MIB,
        limitBytes / MIB);
    pools.onFullCollection(this::collected);
  }

  private void own(long bytes) {
    ownBytes = bytes;
    admission = new HeapAdmission(loneTaskBytes, bytes, Math.max(bytes, limitBytes));
  }

  /** Why the engine cannot take a task of this promise now, empty if it can. */
  public Optional<String> reasonAgainst(long promisedBytes) {
    HeapAdmission rules = admission;
    Optional<String> never = rules.reasonAgainst(promisedBytes);
    if (never.isPresent() || pools.oldBytes() <= rules.markBytes()) {
      return never;
    }
    // Garbage of ended tasks stands in the old generation until it is collected.
    long grown = pools.oldBytes() - liveBytes;
    boolean stale = endedSince || grown > (rules.markBytes() - ownBytes) / 4;
    if (stale && (isRelieved() || msSince(collectedNanos) > collectAgainMs)) {
      long begun = nanos.getAsLong();
      endedSince = false;
      collectedNanos = begun;
      pools.collect();
      liveBytes = pools.usedBytes();
      collectAgainMs = Math.max(COLLECT_AGAIN_MS, COLLECTING_PART * msSince(begun));
    }
    return rules.reasonAgainstNow(liveBytes);
  }

  /** A task has threads from now on. */
  public void began(HeapTenant tenant) {
    holders.began(tenant, liveBytes);
  }

  /** A task's last thread is gone. */
  public void ended(HeapTenant tenant) {
    holders.ended(tenant);
    endedSince = true;
    if (last.task().equals(tenant.name())) {
      last = new Sentence(tenant.name(), nanos.getAsLong(), true);
    }
  }

  /** Whether a task is being ended, or what it held may not have been collected yet. */
  private boolean isRelieving() {
    Sentence sentence = last;
    if (sentence.task().isEmpty() || msSince(sentence.sinceNanos()) > ENDING_MAY_TAKE_MS) {
      return false;
    }
    boolean collected = sentence.gone() && collectedNanos - sentence.sinceNanos() > 0;
    return !collected || msSince(sentence.sinceNanos()) < HeapHolders.STANDS_MS;
  }

  /** Whether a task that held much was ended and what it held may not have been collected yet. */
  private boolean isRelieved() {
    Sentence sentence = last;
    return sentence.gone()
        && !sentence.task().isEmpty()
        && sentence.sinceNanos() - collectedNanos >= 0;
  }

  /** Takes note of what threads allocate before they end; called about once a second. */
  public void tick() {
    holders.uses(Map.of());
  }

  /**
   * Judges a task that has met an OutOfMemoryError: whether it used more than it was promised. If
   * another one did, that one is ended. Waits for the judgement, some hundred milliseconds.
   */
  public boolean isToBlame(HeapTenant tenant, OutOfMemoryError error) {
    if (last.task().equals(tenant.name())) {
      return true;
    }
    if (isRelieving()) {
      return false;
    }
    try {
      return thread
          .submit(() -> judge(tenant, error))
          .get(JUDGEMENT_MAY_TAKE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException | RuntimeException | OutOfMemoryError e) {
      LOG.error("Who exhausted the heap could not be found out, {} is run again", tenant.name(), e);
      return false;
    }
  }

  /** Whether an error says that the heap is exhausted, and not something else. */
  public static boolean isOfTheHeap(OutOfMemoryError error) {
    return OF_THE_HEAP.contains(String.valueOf(error.getMessage()));
  }

  private boolean judge(HeapTenant tenant, OutOfMemoryError error) {
    LOG.error("{} has met an OutOfMemoryError", tenant.name(), error);
    String message = String.valueOf(error.getMessage());
    if (OF_THE_ENGINE.matcher(message).matches()) {
      // In a process of its own it may have had it; that is where it goes after a second time.
      return false;
    }
    if (!isOfTheHeap(error)) {
      // Others, an impossible length for one, the task has got from nobody but itself.
      return true;
    }
    if (last.task().equals(tenant.name()) || isRelieving()) {
      return last.task().equals(tenant.name());
    }
    Optional<HeapEstimate> worst = verdict(() -> true).worst();
    boolean another = worst.isPresent() && !worst.get().task().equals(tenant.name());
    if (another) {
      holders.find(worst.get().task()).ifPresent(other -> fail(other, worst.get()));
      return false;
    }
    boolean guilty = worst.isPresent() || hadItsPromise(tenant);
    if (guilty) {
      sentence(tenant);
    }
    return guilty;
  }

  /**
   * What the task held may have gone with its stack, and then its samples too. If there is as much
   * room now as it was promised, it had that, and it was not enough.
   */
  private boolean hadItsPromise(HeapTenant tenant) {
    pools.collect();
    long free = pools.largestFreeBytes();
    LOG.info(
        "Without what {} held {} MiB are free in one piece; it was promised {}",
        tenant.name(),
        free / MIB,
        tenant.promisedBytes() / MIB);
    return free >= tenant.promisedBytes();
  }

  /** A full collection has ended; on a thread of the JVM's. */
  private void collected(long live) {
    liveBytes = live;
    if (holders.collected(live)) {
      own(live);
    }
    collectedNanos = nanos.getAsLong();
    endedSince = false;
    if (live > ownBytes + WATCHED * (limitBytes - ownBytes)) {
      lookSoon();
    }
  }

  private void lookSoon() {
    if (lookPending.compareAndSet(false, true)) {
      try {
        thread.execute(this::look);
      } catch (RuntimeException | OutOfMemoryError e) {
        // The next collection, which comes soon, tries again.
        lookPending.set(false);
        throw e;
      }
    }
  }

  private void look() {
    lookPending.set(false);
    try {
      if (isRelieving()) {
        return;
      }
      if (isFull() || holders.msSinceEstimate() > LOOK_AGAIN_MS) {
        Verdict verdict = verdict(this::isFull);
        if (isFull()) {
          relieve(verdict);
        }
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("Who holds the heap could not be found out", e);
    }
  }

  private boolean isFull() {
    return liveBytes > limitBytes;
  }

  /** Ends a task because the heap is fuller than it may be. */
  private void relieve(Verdict verdict) {
    List<HeapEstimate> all = verdict.all();
    if (verdict.worst().isPresent()) {
      HeapEstimate worst = verdict.worst().get();
      holders.find(worst.task()).ifPresent(tenant -> fail(tenant, worst));
    } else if (all.size() > 1) {
      // To end one that holds next to nothing would help nobody.
      HeapShares.largest(all.stream().filter(each -> mayYield(each.task())).toList())
          .filter(largest -> largest.bytes() > (liveBytes - ownBytes) / (2L * all.size()))
          .ifPresent(
              largest ->
                  holders.find(largest.task()).ifPresent(tenant -> giveWay(tenant, largest)));
    }
  }

  private boolean mayYield(String task) {
    return holders.find(task).filter(HeapTenant::mayYield).isPresent();
  }

  private void sentence(HeapTenant tenant) {
    last = new Sentence(tenant.name(), nanos.getAsLong(), false);
  }

  private void fail(HeapTenant tenant, HeapEstimate estimate) {
    LOG.error(
        "{} holds some {} MiB of the heap and was promised {}: it fails",
        tenant.name(),
        estimate.bytes() / MIB,
        estimate.promisedBytes() / MIB);
    sentence(tenant);
    tenant.failForMemory(new OutOfMemoryError(EXHAUSTED));
  }

  private void giveWay(HeapTenant tenant, HeapEstimate estimate) {
    LOG.warn(
        "The heap is full though nobody is above his promise: {}, with {} MiB of {}, is run again",
        tenant.name(),
        estimate.bytes() / MIB,
        estimate.promisedBytes() / MIB);
    sentence(tenant);
    tenant.yieldForMemory(
        String.format(
            Locale.ROOT,
            "The heap of the engine is full (mammoth.engine.memory-mb): the task, which holds some"
                + " %d MiB of it, is run again.",
            estimate.bytes() / MIB));
  }

  /**
   * Finds out who holds the heap. In a full one each allocation waits for a collection, so that
   * samples take minutes to read. Meanwhile the heap may become so full that who has filled it is
   * certain without them.
   *
   * @param matters whether a task that is certainly above its promise ends the reading
   */
  private Verdict verdict(BooleanSupplier matters) {
    Future<Map<String, Long>> counting = null;
    while (true) {
      Optional<HeapEstimate> certain = matters.getAsBoolean() ? certain() : Optional.empty();
      if (certain.isPresent()) {
        return new Verdict(certain, List.of());
      }
      counting = counting == null ? holders.count() : counting;
      try {
        return verdict(counting.get(CERTAIN_AGAIN_MS, TimeUnit.MILLISECONDS));
      } catch (TimeoutException e) {
        LOG.debug("Samples are still being read", e);
      } catch (ExecutionException e) {
        LOG.warn("Live objects could not be counted by task", e.getCause());
        return verdict(Map.of());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Verdict(Optional.empty(), List.of());
      }
    }
  }

  private Verdict verdict(Map<String, Long> counts) {
    boolean fresh = msSince(collectedNanos) < LOOK_AGAIN_MS;
    long live = fresh ? liveBytes : Math.max(liveBytes, pools.usedBytes());
    List<HeapEstimate> all = holders.estimate(counts, live - ownBytes);
    LOG.info(
        "{} MiB of the heap are alive, {} of them the engine's: {}",
        live / MIB,
        ownBytes / MIB,
        all);
    return new Verdict(HeapShares.worst(all), all);
  }

  /** Who is above its promise whoever allocated what is alive. */
  private Optional<HeapEstimate> certain() {
    if (msSince(collectedNanos) > HeapHolders.STANDS_MS) {
      return Optional.empty();
    }
    return HeapShares.certain(holders.uses(Map.of()), liveBytes, ownBytes, CLASSES_AND_CACHES);
  }

  private long msSince(long then) {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - then);
  }
}
