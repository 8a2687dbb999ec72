// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is ended when a heap that tasks share runs short. */
class HeapKeeperTest {

  private static final long MIB = 1L << 20;
  private static final OutOfMemoryError EXHAUSTED = new OutOfMemoryError(HeapKeeper.EXHAUSTED);

  /** A heap of 1000 MiB whose filling the test says. */
  private final class Pools extends HeapPools {
    private long used = 100 * MIB;
    private long old = 100 * MIB;
    private long free = 600 * MIB;
    private int collections;
    private long collectingNanos;
    private LongConsumer listener;

    @Override
    long maxBytes() {
      return 1_000 * MIB;
    }

    @Override
    long oldBytes() {
      return old;
    }

    @Override
    long usedBytes() {
      return used;
    }

    @Override
    long largestFreeBytes() {
      return free;
    }

    @Override
    void collect() {
      collections++;
      nanos += collectingNanos;
    }

    @Override
    void onFullCollection(LongConsumer whom) {
      listener = whom;
    }
  }

  /** A task that has allocated as much as its thread, and notes what becomes of it. */
  private final class Tenant implements HeapTenant {
    private final String name;
    private final List<Thread> threads;
    private final List<String> fate = new CopyOnWriteArrayList<>();
    private volatile boolean mayYield = true;

    Tenant(String name, Thread thread, long samples) {
      this.name = name;
      this.threads = List.of(thread);
      counts.put(name, samples);
      keeper.began(this);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long promisedBytes() {
      return 400 * MIB;
    }

    @Override
    public List<Thread> heapThreads() {
      return threads;
    }

    @Override
    public void failForMemory(OutOfMemoryError error) {
      fate.add("failed: " + error.getMessage());
    }

    @Override
    public boolean mayYield() {
      return mayYield;
    }

    @Override
    public void yieldForMemory(String why) {
      fate.add("run again: " + why);
    }
  }

  private final Pools pools = new Pools();
  private final Map<String, Long> counts = new HashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private long nanos;
  private HeapKeeper keeper;

  @BeforeEach
  void watch() {
    keeper = new HeapKeeper(pools, 800 * MIB, 50 * MIB, 0.75, thread, () -> nanos);
    keeper.watch(Optional.of(names -> CompletableFuture.completedFuture(new HashMap<>(counts))));
    nanos += TimeUnit.SECONDS.toNanos(60);
  }

  @AfterEach
  void stop() {
    over.countDown();
    thread.shutdownNow();
  }

  /** A thread that has allocated so much and lives on. */
  private Thread allocated(long mib) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Thread allocating =
        new Thread(
            () -> {
              int sum = 0;
              for (int i = 0; i < mib; i++) {
                sum += new byte[(int) MIB].length;
              }
              done.countDown();
              try {
                over.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              assertThat(sum).isEqualTo((int) (mib * MIB));
            });
    allocating.setDaemon(true);
    allocating.start();
    done.await();
    return allocating;
  }

  private void collected(long liveMib) throws Exception {
    pools.used = liveMib * MIB;
    pools.listener.accept(liveMib * MIB);
    thread.submit(() -> {}).get();
  }

  @Test
  void whoKeepsMostAboveItsPromiseFailsBeforeTheHeapIsFull() throws Exception {
    Tenant churning = new Tenant("churning", allocated(1_000), 4);
    Tenant leaking = new Tenant("leaking", allocated(700), 90);
    collected(740);
    assertThat(leaking.fate).isEmpty();
    nanos += TimeUnit.SECONDS.toNanos(2);
    collected(760);
    assertThat(leaking.fate).containsExactly("failed: Java heap space");
    nanos += TimeUnit.SECONDS.toNanos(20);
    collected(770);
    assertThat(churning.fate).as("one at a time").isEmpty();
    assertThat(leaking.fate).hasSize(1);
    keeper.ended(leaking);
    counts.remove("leaking");
    nanos += TimeUnit.SECONDS.toNanos(1);
    collected(780);
    assertThat(churning.fate).as("what is left is not the others'").isEmpty();
  }

  /** In a full heap each allocation waits for a collection; to read the samples takes minutes. */
  @Test
  void whoAloneCanHoldWhatIsAliveFailsWithoutSamples() throws Exception {
    AtomicInteger read = new AtomicInteger();
    keeper.watch(
        Optional.of(
            names -> {
              read.incrementAndGet();
              return CompletableFuture.completedFuture(Map.of());
            }));
    Tenant quiet = new Tenant("quiet", allocated(10), 90);
    Tenant leaking = new Tenant("leaking", allocated(700), 1);
    collected(760);
    assertThat(leaking.fate).containsExactly("failed: Java heap space");
    assertThat(quiet.fate).isEmpty();
    assertThat(read).hasValue(0);
  }

  @Test
  void whoFillsTheHeapWhileSamplesAreReadIsNotWaitedForLonger() throws Exception {
    keeper.watch(Optional.of(names -> new CompletableFuture<>()));
    Tenant leaking = new Tenant("leaking", allocated(900), 1);
    for (long live : new long[] {500, 620, 760}) {
      pools.listener.accept(live * MIB);
    }
    await().atMost(Duration.ofSeconds(20)).until(() -> !leaking.fate.isEmpty());
    assertThat(leaking.fate).containsExactly("failed: Java heap space");
  }

  /**
   * What an ended task has left behind fills the heap, and the one that runs only makes garbage.
   */
  @Test
  void whatWasThereBeforeATaskBeganDoesNotConvictIt() throws Exception {
    Tenant other = new Tenant("other", allocated(1), 1);
    collected(700);
    keeper.ended(other);
    Tenant churning = new Tenant("churning", allocated(1_000), 4);
    counts.put(HeapSampler.OTHERS, 96L);
    collected(760);
    assertThat(churning.fate).isEmpty();
    collected(200);
    nanos += TimeUnit.SECONDS.toNanos(20);
    collected(760);
    assertThat(churning.fate).as("it is not there any more").hasSize(1);
  }

  @Test
  void whatLivesWithoutTasksIsTheEngines() throws Exception {
    collected(300);
    Tenant task = new Tenant("task", allocated(700), 90);
    new Tenant("other", allocated(1), 0);
    collected(700);
    assertThat(task.fate).as("it holds 400 MiB of 700").isEmpty();
    pools.old = 650 * MIB;
    assertThat(keeper.reasonAgainst(1)).hasValueSatisfying(r -> assertThat(r).contains("400 MiB"));
  }

  /** Its memory would stay as long as somebody knows the task. */
  @Test
  void whoWasEndedIsForgotten() throws Exception {
    WeakReference<Tenant> leaking = new WeakReference<>(new Tenant("t", allocated(700), 90));
    collected(760);
    keeper.ended(leaking.get());
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(leaking.get()).isNull();
            });
  }

  @Test
  void whoMeetsTheErrorThroughAnotherIsNotToBlame() throws Exception {
    Tenant churning = new Tenant("churning", allocated(1_000), 4);
    Tenant leaking = new Tenant("leaking", allocated(700), 90);
    pools.used = 900 * MIB;
    assertThat(keeper.isToBlame(churning, EXHAUSTED)).isFalse();
    assertThat(leaking.fate).containsExactly("failed: Java heap space");
    assertThat(keeper.isToBlame(leaking, EXHAUSTED)).isTrue();
    assertThat(churning.fate).isEmpty();
  }

  @Test
  void whoLeaksAndMeetsTheErrorIsToBlame() throws Exception {
    new Tenant("churning", allocated(1_000), 4);
    Tenant leaking = new Tenant("leaking", allocated(700), 90);
    pools.used = 900 * MIB;
    assertThat(keeper.isToBlame(leaking, EXHAUSTED)).isTrue();
  }

  /** Its samples have gone with its stack: then room for all of its promise convicts it. */
  @Test
  void whoHadItsPromiseAndWantedMoreIsToBlame() throws Exception {
    new Tenant("churning", allocated(1_000), 4);
    Tenant greedy = new Tenant("greedy", allocated(700), 0);
    pools.used = 200 * MIB;
    assertThat(keeper.isToBlame(greedy, EXHAUSTED)).isTrue();
    assertThat(pools.collections).isEqualTo(1);
  }

  @Test
  void whoWasNotGivenItsPromiseIsRunAgain() throws Exception {
    new Tenant("one", allocated(300), 50);
    Tenant other = new Tenant("other", allocated(300), 50);
    pools.used = 760 * MIB;
    pools.free = 200 * MIB;
    assertThat(keeper.isToBlame(other, EXHAUSTED)).isFalse();
  }

  @Test
  void whatIsNotOfTheHeapIsJudgedByItsKind() throws Exception {
    Tenant task = new Tenant("task", allocated(1), 0);
    assertThat(
            keeper.isToBlame(task, new OutOfMemoryError("Requested array size exceeds VM limit")))
        .isTrue();
    for (String ours :
        List.of(
            "Metaspace",
            "unable to create native thread: possibly out of memory",
            "Cannot reserve 9 bytes of direct buffer memory (allocated: 1, limit: 5)")) {
      assertThat(keeper.isToBlame(task, new OutOfMemoryError(ours))).as(ours).isFalse();
    }
  }

  @Test
  void aFullHeapWithoutAnOffenderHasTheLargestRunAgain() throws Exception {
    Tenant small = new Tenant("small", allocated(300), 40);
    Tenant large = new Tenant("large", allocated(390), 60);
    collected(780);
    assertThat(small.fate).isEmpty();
    assertThat(large.fate).hasSize(1);
    assertThat(large.fate.get(0)).startsWith("run again: The heap of the engine is full");
  }

  @Test
  void oneWhoseWorkWouldNotBeDoneAgainIsNotRunAgain() throws Exception {
    Tenant small = new Tenant("small", allocated(300), 40);
    Tenant large = new Tenant("large", allocated(390), 60);
    large.mayYield = false;
    collected(780);
    assertThat(large.fate).isEmpty();
    assertThat(small.fate).hasSize(1);
    assertThat(small.fate.get(0)).startsWith("run again: The heap of the engine is full");
  }

  @Test
  void aTaskAloneMayHaveAllOfTheHeap() throws Exception {
    Tenant alone = new Tenant("alone", allocated(390), 60);
    collected(780);
    assertThat(alone.fate).isEmpty();
  }

  @Test
  void tasksAreTakenByWhatIsHeldNotByWhatIsPromised() {
    for (int i = 0; i < 20; i++) {
      assertThat(keeper.reasonAgainst(400 * MIB)).isEmpty();
    }
    assertThat(keeper.reasonAgainst(801 * MIB)).isPresent();
    pools.old = 600 * MIB;
    pools.used = 650 * MIB;
    assertThat(keeper.reasonAgainst(400 * MIB)).as("what is there is alive").isPresent();
    assertThat(keeper.reasonAgainst(400 * MIB)).isPresent();
    assertThat(pools.collections).isEqualTo(1);
  }

  @Test
  void tasksThatHaveEndedDoNotKeepOthersOut() throws Exception {
    Tenant task = new Tenant("task", allocated(1), 9);
    pools.old = 600 * MIB;
    collected(650);
    assertThat(keeper.reasonAgainst(400 * MIB)).isPresent();
    keeper.ended(task);
    nanos += TimeUnit.SECONDS.toNanos(60);
    pools.used = 120 * MIB;
    assertThat(keeper.reasonAgainst(400 * MIB)).isEmpty();
    assertThat(pools.collections).isEqualTo(1);
  }

  /** However short a time ago the heap was collected: what is known of it is of the time before. */
  @Test
  void aTaskThatWasEndedForMemoryDoesNotKeepOthersOut() throws Exception {
    new Tenant("churning", allocated(1), 4);
    Tenant leaking = new Tenant("leaking", allocated(700), 90);
    pools.old = 760 * MIB;
    collected(760);
    assertThat(leaking.fate).hasSize(1);
    assertThat(keeper.reasonAgainst(400 * MIB)).isPresent();
    nanos += TimeUnit.MILLISECONDS.toNanos(100);
    keeper.ended(leaking);
    pools.used = 120 * MIB;
    pools.old = 120 * MIB;
    assertThat(keeper.reasonAgainst(400 * MIB)).isEmpty();
    pools.old = 600 * MIB;
    assertThat(keeper.reasonAgainst(400 * MIB)).isEmpty();
  }

  @Test
  void whatTasksHeldIsCollectedSoonButNotAtEachLaunch() throws Exception {
    pools.old = 600 * MIB;
    pools.collectingNanos = TimeUnit.MILLISECONDS.toNanos(200);
    Tenant task = new Tenant("task", allocated(1), 9);
    collected(650);
    keeper.ended(task);
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertThat(keeper.reasonAgainst(400 * MIB)).isPresent();
    for (int launch = 0; launch < 200; launch++) {
      keeper.ended(task);
      nanos += TimeUnit.MILLISECONDS.toNanos(100);
      assertThat(keeper.reasonAgainst(400 * MIB)).isPresent();
    }
    assertThat(pools.collections).as("of 20 s, a twentieth").isBetween(4, 6);
  }

  /** The JVM's own samples, of threads in the tasks' groups and in groups within them. */
  @Test
  void theJvmTellsWhoseObjectsLive() throws Exception {
    Optional<HeapSampler> started = HeapSampler.start(Thread::new);
    assertThat(started).isPresent();
    try (HeapSampler sampler = started.get()) {
      List<Object> kept = new ArrayList<>();
      ThreadGroup keeping = new ThreadGroup("attempt_keeps");
      ThreadGroup wasting = new ThreadGroup("attempt_wastes");
      Thread keeps =
          new Thread(
              new ThreadGroup(keeping, "its own pool"),
              () -> {
                for (int i = 0; i < 500_000; i++) {
                  kept.add(new byte[100]);
                }
              },
              "k");
      long[] sum = new long[1];
      Thread wastes =
          new Thread(
              wasting,
              () -> {
                for (int i = 0; i < 2_000_000; i++) {
                  sum[0] += new byte[100 + i % 7].length;
                }
              },
              "w");
      keeps.start();
      wastes.start();
      keeps.join();
      wastes.join();
      System.gc();
      Map<String, Long> samples = sampler.of(List.of("attempt_keeps", "attempt_wastes")).get();
      assertThat(kept).hasSize(500_000);
      assertThat(sum[0]).isPositive();
      assertThat(samples.getOrDefault("attempt_keeps", 0L))
          .isGreaterThan(5)
          .isGreaterThan(5 * samples.getOrDefault("attempt_wastes", 0L));
    }
  }
}
