// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.IntWritable;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.ElementPool;
import org.mammoth.engine.memory.ElementShare;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;

/** Real threads sort maps in too little memory, some are killed: the others' output is right. */
class MapSorterThreadsTest {

  private static final int SLOTS = 6;
  private static final int MAPS = 25;
  private static final int SLAB = 512;
  private static final int UNIT = 256;
  private static final int LONGEST_SECONDS = 60;

  /** A node of the least memory that an engine starts with, or a little more. */
  private static final class Node implements AutoCloseable {
    final Ledger ledger;
    final LeakCheckingPool pool;
    final CacheScheduler scheduler;
    final ElementPool elements;
    final AtomicInteger finished = new AtomicInteger();
    final AtomicInteger killed = new AtomicInteger();
    final AtomicInteger inMemory = new AtomicInteger();
    final AtomicInteger onDisk = new AtomicInteger();
    final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    Node(int slabsPerSlot, int unitsPerSlot) {
      int slabs = slabsPerSlot * SLOTS;
      int units = unitsPerSlot * SLOTS;
      ledger = new Ledger((long) slabs * SLAB + (long) units * UNIT);
      elements = new ElementPool(ledger, SLAB, slabs, SLOTS);
      pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, units);
      scheduler =
          new CacheScheduler(
              pool,
              ledger,
              new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.NEED, 64),
              System::nanoTime);
    }

    @Override
    public void close() {
      scheduler.endJob("job0");
      scheduler.endJob("job1");
      assertThat(elements.lentSlabs()).isZero();
      elements.close();
      assertThat(ledger.used()).isZero();
      assertThat(ledger.snapshot()).isEmpty();
      pool.close();
    }
  }

  private record Source(ElementShare share) implements ElementSource {
    @Override
    public byte[] poll() {
      return share.poll();
    }

    @Override
    public byte[] take() throws InterruptedException {
      return share.take();
    }

    @Override
    public void give(byte[] slab) {
      share.give(slab);
    }
  }

  /** The task was killed by the test, at a record of its choice. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static void map(Node node, Random random, String job, String attempt) throws Exception {
    LeaseOwner owner = new LeaseOwner("ann", job, attempt);
    MapMemory memory = node.scheduler.registerMap(owner, 1);
    ElementShare share = node.elements.open(owner);
    PooledRuns runs = new PooledRuns(memory.sort());
    boolean done = false;
    try {
      sort(random, new Source(share), runs);
      done = true;
    } finally {
      node.inMemory.addAndGet(runs.segmentsInMemory);
      node.onDisk.addAndGet(runs.segmentsOnDisk);
      assertThat(share.held()).as("the sorter has closed").isZero();
      share.close();
      if (done) {
        assertThat(node.ledger.used(BufferKind.SORT)).isNotNegative();
        memory.close();
      } else {
        memory.abort();
      }
    }
  }

  private static void sort(Random random, ElementSource source, RunStore runs) throws Exception {
    int partitions = 1 + random.nextInt(5);
    SumCombiner combiner = random.nextBoolean() ? new SumCombiner(SumCombiner.Way.ONE) : null;
    int keys = 1 + random.nextInt(400);
    int count = random.nextInt(1500);
    int killAt = random.nextInt(4) == 0 ? random.nextInt(count + 1) : -1;
    Map<Integer, Long> expected = new HashMap<>();
    HeapRuns.Segments output = new HeapRuns.Segments(new HeapRuns());
    try (MapSorter sorter =
        new MapSorter(
            KeyOrders.of(new IntWritable.Comparator()),
            partitions,
            source,
            SLAB,
            runs,
            combiner,
            1 + random.nextInt(4),
            () -> {})) {
      if (combiner != null && random.nextBoolean()) {
        sorter.combineBeforeSort(combiner);
      }
      RecordBuffer buffer = sorter.buffer();
      for (int i = 0; i < count; i++) {
        int key = random.nextInt(keys);
        long weight = 1 + random.nextInt(5);
        buffer.begin();
        buffer.writeInt(key);
        buffer.endKey();
        if (i == killAt) {
          throw new Killed();
        }
        buffer.writeLong(weight);
        buffer.write(new byte[random.nextInt(random.nextInt(50) == 0 ? 3 * SLAB : 30)]);
        buffer.end(key % partitions);
        expected.merge(key, weight, Long::sum);
      }
      sorter.finish(output);
    }
    assertThat(sums(output, partitions)).isEqualTo(expected);
  }

  private static Map<Integer, Long> sums(HeapRuns.Segments output, int partitions)
      throws IOException {
    Map<Integer, Long> sums = new HashMap<>();
    assertThat(output.segments).hasSize(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      int last = Integer.MIN_VALUE;
      try (SegmentCursor cursor =
          new SegmentCursor(
              KeyOrders.of(new IntWritable.Comparator()),
              output.open(partition),
              "o",
              64,
              output.length(partition))) {
        while (cursor.next()) {
          cursor.complete(new RecordSpace());
          int key = ByteBuffer.wrap(cursor.bytes(), cursor.keyAt(), 4).getInt();
          assertThat(key).isGreaterThanOrEqualTo(last);
          assertThat(key % partitions).isEqualTo(partition);
          last = key;
          sums.merge(
              key,
              SumCombiner.weight(cursor.bytes(), cursor.valueAt(), cursor.valueLength()),
              Long::sum);
        }
      }
    }
    return sums;
  }

  private static void slot(Node node, int slot) {
    Random random = new Random(slot);
    for (int i = 0; i < MAPS && node.failures.isEmpty(); i++) {
      try {
        map(node, random, "job" + slot % 2, "m" + slot + "_" + i);
        node.finished.incrementAndGet();
      } catch (Killed | InterruptedException | InterruptedIOException e) {
        Thread.interrupted();
        node.killed.incrementAndGet();
      } catch (Throwable e) {
        node.failures.add(e);
      }
    }
  }

  private static void run(Node node) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      int id = slot;
      Thread thread = new Thread(() -> slot(node, id), "slot-" + slot);
      threads.add(thread);
      thread.start();
    }
    Random random = new Random(3);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
    while (threads.stream().anyMatch(Thread::isAlive) && System.nanoTime() < end) {
      threads.get(random.nextInt(SLOTS)).join(3);
      if (random.nextInt(8) == 0) {
        threads.get(random.nextInt(SLOTS)).interrupt();
      }
    }
    for (Thread thread : threads) {
      if (thread.isAlive()) {
        node.failures.add(new AssertionError(thread + " still waits"));
        node.failures.get(node.failures.size() - 1).setStackTrace(thread.getStackTrace());
      }
    }
    assertThat(node.failures).isEmpty();
    assertThat(node.finished.get() + node.killed.get()).isEqualTo(SLOTS * MAPS);
    assertThat(node.killed.get()).isPositive();
    assertThat(node.finished.get()).isGreaterThan(node.killed.get());
  }

  @Test
  void inTheLeastMemoryThereIs() throws Exception {
    try (Node node = new Node(3, 1)) {
      run(node);
      assertThat(node.onDisk.get()).as("segments that found no unit").isPositive();
    }
  }

  @Test
  void withRoomForSomeHashTablesAndSomeRuns() throws Exception {
    try (Node node = new Node(12, 20)) {
      run(node);
      assertThat(node.inMemory.get()).isPositive();
    }
  }
}
