// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.nio.NioEventLoopGroup;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.PushReceiver;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.client.Subscription;
import org.mammoth.mapreduce.events.MapEvents;

/**
 * Reduces in engines of their own against very many nodes, over real sockets: none is left to
 * stock, and what an engine keeps is counted. {@code dev-support/bin/soak nodes} runs the long
 * form, 10,000 maps and 1,000 reduces on 1,000 nodes.
 */
class ThousandNodesTest {

  private static final int NODES = Integer.getInteger("mammoth.scale.nodes", 100);
  private static final int MAPS = Integer.getInteger("mammoth.scale.maps", 1_000);
  private static final int REDUCES = Integer.getInteger("mammoth.scale.reduces", 3);
  private static final int AT_ONCE = Integer.getInteger("mammoth.scale.at-once", 3);
  private static final int CONNECTIONS = Integer.getInteger("mammoth.scale.connections", 40);
  private static final long REST_MS = Long.getLong("mammoth.scale.rest-ms", 2_000);
  private static final int EVENTS_AT_ONCE = 3_000;
  private static final int UNITS = 2_048;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int SILENCE_MS = 60_000;
  private static final long WINDOW = 1 << 20;
  private static final long MB = 1 << 20;

  @TempDir Path folder;

  private final Configuration conf = TestNode.conf();
  private final JobConf job = new JobConf();
  private final List<TaskCompletionEvent> master = new ArrayList<>();
  private final AtomicInteger finished = new AtomicInteger();
  private final AtomicInteger resting = new AtomicInteger();
  private final AtomicInteger pushed = new AtomicInteger();
  private final AtomicInteger busiest = new AtomicInteger();
  private final ConcurrentHashMap<Integer, Double> asksASecond = new ConcurrentHashMap<>();

  private MapTaskCompletionEventsUpdate ask(int from, int most) {
    synchronized (master) {
      int first = Math.min(from, master.size());
      return new MapTaskCompletionEventsUpdate(
          master
              .subList(first, Math.min(master.size(), first + most))
              .toArray(new TaskCompletionEvent[0]),
          false);
    }
  }

  private void finish(SimulatedNodes nodes, int map) {
    nodes.finish(map);
    synchronized (master) {
      master.add(
          new TaskCompletionEvent(
              map,
              TaskAttemptID.forName(SimulatedNodes.attempt(map)),
              map,
              true,
              TaskCompletionEvent.Status.SUCCEEDED,
              nodes.url(map)));
    }
  }

  private static long usedHeap() {
    for (int i = 0; i < 2; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long direct() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  /** An engine with one reduce, from its first event to its last. */
  private final class Engine implements AutoCloseable {
    private final MapEvents events = new MapEvents(MAPS, System::nanoTime);
    private final MapEvents.Reader reader = events.reader(ThousandNodesTest.this::ask);
    private final TestReduce reduce;
    private int next;

    Engine(int number) throws Exception {
      reduce =
          new TestReduce(
              folder.resolve("reduce-" + number),
              job,
              UNITS,
              conf,
              map -> reader.expect(TaskAttemptID.forName(map)));
    }

    void turn() throws Exception {
      MapTaskCompletionEventsUpdate update = reader.next(next, EVENTS_AT_ONCE);
      for (TaskCompletionEvent event : update.getMapTaskCompletionEvents()) {
        reduce.succeeded(event);
        next++;
      }
      reduce.work();
    }

    void until(int arrived) throws Exception {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (reduce.arrived.size() + reduce.stock.size() < arrived) {
        if (System.nanoTime() > end) {
          throw new AssertionError(reduce.arrived.size() + " of " + arrived + " arrived");
        }
        turn();
      }
    }

    /** Waits for the last map, and says how often it asked meanwhile. */
    double rest(int allRest) throws Exception {
      long settled = System.nanoTime() + Duration.ofSeconds(1).toNanos();
      while (System.nanoTime() < settled) {
        turn();
      }
      resting.incrementAndGet();
      long asks = events.asks();
      long from = System.nanoTime();
      while (System.nanoTime() - from < Duration.ofMillis(REST_MS).toNanos()
          || resting.get() < allRest) {
        turn();
      }
      return (events.asks() - asks) / ((System.nanoTime() - from) / 1e9);
    }

    @Override
    public void close() throws Exception {
      reduce.close();
    }
  }

  private void run(SimulatedNodes nodes, int number, int allRest, Runnable atRest)
      throws Exception {
    try (Engine engine = new Engine(number)) {
      engine.until(finished.get() == 0 ? MAPS - 1 : MAPS);
      busiest.accumulateAndGet(nodes.mostConnections(), Math::max);
      if (atRest != null) {
        asksASecond.put(number, engine.rest(allRest));
        atRest.run();
      }
      engine.until(MAPS);
      assertThat(engine.reduce.stock).as("left to stock").isEmpty();
      assertThat(engine.reduce.peers().size()).isEqualTo(NODES);
      for (int map = 0; map < MAPS; map += 97) {
        assertThat(engine.reduce.arrived.get(SimulatedNodes.attempt(map)).rawLength()).isPositive();
      }
      engine.reduce.arrived.values().forEach(each -> pushed.addAndGet(each.pushed() ? 1 : 0));
    }
  }

  /** The other side: what a node keeps for all engines that want its maps' output. */
  @Test
  void oneNodePushesToAllEngines() throws Exception {
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    conf.setInt("mammoth.shuffle.max-connections", CONNECTIONS);
    conf.setInt("mammoth.shuffle.reconnect.max-ms", 1_000);
    int maps = MAPS / NODES;
    NioEventLoopGroup loops = new NioEventLoopGroup(2);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    List<ShuffleClient> clients = new ArrayList<>();
    AtomicInteger complete = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    try (SimulatedNodes nodes = new SimulatedNodes(1, NODES, job, conf)) {
      for (int map = 0; map < maps; map++) {
        nodes.finish(map);
      }
      long heap = usedHeap();
      for (int engine = 0; engine < NODES; engine++) {
        ShuffleClient client =
            new ShuffleClient(
                ClientSettings.from(conf),
                name -> TestNode.SECRET,
                () -> null,
                loops,
                Scheduler.of(timer));
        clients.add(client);
        AllOfIt receiver = new AllOfIt(complete, ended);
        receiver.subscribed.complete(
            client.subscribeShared(
                nodes.address(0), TestNode.JOB, engine, "attempt_r_" + engine, WINDOW, receiver));
      }
      Awaitility.await().atMost(PATIENCE).until(() -> complete.get() == maps * NODES);
      assertThat(ended).hasValue(0);
      assertThat(nodes.mostConnections()).isLessThanOrEqualTo(CONNECTIONS);
      long used = usedHeap() - heap;
      System.out.printf(
          "One node of %d maps and %d engines that it pushes to, %d connections: %.1f MB of heap"
              + " for both sides%n",
          maps, NODES, nodes.mostConnections(), used / (double) MB);
      assertThat(used).isLessThan(64 * MB);
    } finally {
      clients.forEach(ShuffleClient::close);
      timer.shutdownNow();
      loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
    }
  }

  /** Takes what is pushed, and counts it. */
  private static final class AllOfIt implements PushReceiver {
    private final AtomicInteger complete;
    private final AtomicInteger ended;
    private final Set<String> taken = new HashSet<>();

    /** Completed once it is subscribed; chunks may come before. */
    private final CompletableFuture<Subscription> subscribed = new CompletableFuture<>();

    AllOfIt(AtomicInteger complete, AtomicInteger ended) {
      this.complete = complete;
      this.ended = ended;
    }

    @Override
    public long offer(SegmentInfo segment) {
      return taken.add(segment.key().mapAttempt()) ? 0 : REFUSE;
    }

    @Override
    public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
      int length = data.remaining();
      subscribed.thenAccept(to -> to.credit(length));
    }

    @Override
    public void complete(SegmentInfo segment) {
      complete.incrementAndGet();
    }

    @Override
    public void failed(SegmentInfo segment, ShuffleException cause) {
      taken.remove(segment.key().mapAttempt());
    }

    @Override
    public void ended(ShuffleException cause) {
      ended.incrementAndGet();
    }
  }

  /** A reduce that leaves all where it is: lengths and identities of all segments, and no more. */
  @Test
  void whatStaysAtAllNodesTakesLittleHeap() throws Exception {
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    try (SimulatedNodes nodes = new SimulatedNodes(NODES, 1_000, job, conf)) {
      for (int map = 0; map < MAPS; map++) {
        finish(nodes, map);
      }
      long heap = usedHeap();
      long begun = System.nanoTime();
      MapEvents events = new MapEvents(MAPS, System::nanoTime);
      MapEvents.Reader reader = events.reader(this::ask);
      try (TestReduce reduce =
          new TestReduce(
              folder.resolve("virtual"), job, 1, SILENCE_MS, MergeMode.VIRTUAL, TestReduce.UNIT)) {
        int next = 0;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (reduce.levitated.size() + reduce.stock.size() < MAPS) {
          assertThat(System.nanoTime()).as("%d maps", reduce.levitated.size()).isLessThan(end);
          MapTaskCompletionEventsUpdate update = reader.next(next, EVENTS_AT_ONCE);
          for (TaskCompletionEvent event : update.getMapTaskCompletionEvents()) {
            reduce.succeeded(event);
            next++;
          }
          reduce.work();
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        assertThat(reduce.stock).as("left to stock").isEmpty();
        assertThat(reduce.levitated.values()).allMatch(LevitatedOutput::staysAway);
        long used = usedHeap() - heap;
        System.out.printf(
            "%d maps stay at %d nodes: %.1f MB of heap for an engine with its reduce, %.0f s%n",
            MAPS, NODES, used / (double) MB, seconds);
        assertThat(used).as("heap").isLessThan(64 * MB);
      }
    }
  }

  @Test
  void everyReduceGetsAllFromEngines() throws Exception {
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    conf.setInt("mammoth.shuffle.max-connections", CONNECTIONS);
    conf.setInt("mammoth.shuffle.reconnect.max-ms", 1_000);
    long start = System.nanoTime();
    try (SimulatedNodes nodes = new SimulatedNodes(NODES, 1_000, job, conf)) {
      for (int map = 0; map < MAPS - 1; map++) {
        finish(nodes, map);
      }
      long heap = usedHeap();
      long directBefore = direct();
      // The first engine alone, so that what is in the heap at its end is its own.
      long[] used = new long[2];
      run(
          nodes,
          0,
          1,
          () -> {
            // Units hold data, and are the ledger's.
            used[0] = usedHeap() - heap - (long) UNITS * TestReduce.UNIT;
            used[1] = direct() - directBefore;
            finish(nodes, MAPS - 1);
            finished.incrementAndGet();
          });
      ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
      List<Future<?>> rest = new ArrayList<>();
      for (int reduce = 1; reduce < REDUCES; reduce++) {
        int number = reduce;
        rest.add(
            threads.submit(
                () -> {
                  run(nodes, number, 1, null);
                  return null;
                }));
      }
      threads.shutdown();
      for (Future<?> each : rest) {
        each.get();
      }
      System.out.printf(
          "%d maps, %d reduces, %d nodes, %d connections at most: %.1f MB of heap and %.1f MB of"
              + " direct memory for an engine with its reduce, %.2f questions a second at rest, %d"
              + " of %d segments pushed, %d connections at the busiest server, %.0f s%n",
          MAPS,
          REDUCES,
          NODES,
          CONNECTIONS,
          used[0] / (double) MB,
          used[1] / (double) MB,
          asksASecond.get(0),
          pushed.get(),
          MAPS * REDUCES,
          busiest.get(),
          (System.nanoTime() - start) / 1e9);
      assertThat(asksASecond.get(0)).isLessThanOrEqualTo(5.5);
      assertThat(used[0]).as("heap").isLessThan(64 * MB);
      assertThat(busiest.get()).isLessThanOrEqualTo(CONNECTIONS);
    }
  }
}
