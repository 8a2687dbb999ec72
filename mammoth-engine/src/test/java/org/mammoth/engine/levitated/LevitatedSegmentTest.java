// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.SchedulerSettings;

/** Segments that stay at their sources: whatever the sizes and the answers, the bytes are right. */
class LevitatedSegmentTest {

  private static final int UNIT = 1 << 10;

  /** A pool that knows who has not given back, and one reduce that takes from it. */
  private static final class Memory implements AutoCloseable {
    private final LeakCheckingPool pool;
    private final CacheScheduler scheduler;
    private final ReduceMemory reduce;

    Memory(int units) {
      pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, units);
      scheduler =
          new CacheScheduler(
              pool,
              new Ledger((long) UNIT * units),
              SchedulerSettings.of(new Configuration(false)),
              System::nanoTime);
      reduce = scheduler.registerReduce(new LeaseOwner("ann", "job", "reduce"), 1);
    }

    @Override
    public void close() {
      reduce.close();
      scheduler.endJob("job");
      pool.close();
    }
  }

  private static List<byte[]> segments(Random random, int count, int most) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[random.nextInt(most + 1)];
      random.nextBytes(bytes);
      all.add(bytes);
    }
    return all;
  }

  private static List<LevitatedSegment> open(
      List<byte[]> bytes, RangeReader reader, BlockSpace blocks, Random random) {
    List<LevitatedSegment> all = new ArrayList<>();
    for (int i = 0; i < bytes.size(); i++) {
      byte[] whole = bytes.get(i);
      Block header = random.nextInt(4) == 0 ? null : blocks.poll();
      int here = header == null ? 0 : Math.min(whole.length, random.nextInt(header.bytes() + 1));
      if (header != null) {
        header.view(here).put(whole, 0, here);
      }
      Block spare = random.nextInt(3) == 0 ? null : blocks.poll();
      all.add(new LevitatedSegment(reader, i, "s" + i, whole.length, header, here, spare));
    }
    return all;
  }

  private static void askForAll(
      List<LevitatedSegment> segments, RangeReader reader, Random random) {
    List<RangeRequest> first = new ArrayList<>();
    for (LevitatedSegment segment : segments) {
      RangeRequest request =
          random.nextBoolean() ? segment.ahead() : segment.first(1 + random.nextInt(300));
      if (request != null) {
        first.add(request);
      }
    }
    reader.read(first);
  }

  @Property(tries = 300)
  void noByteIsLostAndNoneIsFetchedTwice(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 20) int count,
      @ForAll @IntRange(min = 1, max = UNIT) int block,
      @ForAll @IntRange(min = 0, max = 30) int units,
      @ForAll boolean atOnce)
      throws Exception {
    Random random = new Random(seed);
    List<byte[]> bytes = segments(random, count, 5_000);
    SimulatedReader reader = new SimulatedReader(bytes, new Random(seed), atOnce, Long.MAX_VALUE);
    Thread answers = new Thread(reader::answerAll);
    answers.start();
    try (Memory memory = new Memory(Math.max(1, units))) {
      BlockSpace blocks = new BlockSpace(memory.reduce.receive(), block);
      List<Block> taken = new ArrayList<>();
      if (units == 0) {
        for (Block one = blocks.poll(); one != null; one = blocks.poll()) {
          taken.add(one);
        }
      }
      List<LevitatedSegment> segments = open(bytes, reader, blocks, random);
      askForAll(segments, reader, random);
      List<ByteArrayOutputStream> read = new ArrayList<>();
      segments.forEach(segment -> read.add(new ByteArrayOutputStream()));
      List<Integer> open = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        open.add(i);
      }
      while (!open.isEmpty()) {
        int which = open.get(random.nextInt(open.size()));
        byte[] some = new byte[1 + random.nextInt(2_000)];
        int got = segments.get(which).read(some, 0, some.length);
        if (got < 0) {
          segments.get(which).close();
          open.remove((Integer) which);
        } else {
          assertThat(got).isPositive();
          read.get(which).write(some, 0, got);
        }
      }
      for (int i = 0; i < count; i++) {
        assertThat(read.get(i).toByteArray()).isEqualTo(bytes.get(i));
      }
      assertThat(reader.asked())
          .isLessThanOrEqualTo(bytes.stream().mapToLong(each -> each.length).sum());
      taken.forEach(Block::free);
    } finally {
      answers.interrupt();
      answers.join();
    }
  }

  /** Each has its first bytes before any of them is waited for. */
  @Test
  void firstBytesAreAskedForTogetherWhereThereIsNoBlock() throws Exception {
    List<byte[]> bytes = segments(new Random(1), 9, 5_000);
    List<List<RangeRequest>> calls = new ArrayList<>();
    RangeReader reader =
        requests -> {
          calls.add(requests);
          for (RangeRequest each : requests) {
            byte[] whole = bytes.get(each.segment());
            each.into().put(whole, (int) each.offset(), each.into().remaining());
            each.done().accept(null);
          }
        };
    List<LevitatedSegment> all = new ArrayList<>();
    List<RangeRequest> first = new ArrayList<>();
    for (int i = 0; i < bytes.size(); i++) {
      all.add(new LevitatedSegment(reader, i, "s" + i, bytes.get(i).length, null, 0, null));
      RangeRequest request = all.get(i).first(100);
      if (request != null) {
        first.add(request);
      }
    }
    reader.read(first);
    for (int i = 0; i < bytes.size(); i++) {
      byte[] here = new byte[100];
      int read = all.get(i).read(here, 0, here.length);
      assertThat(read)
          .isEqualTo(bytes.get(i).length == 0 ? -1 : Math.min(100, bytes.get(i).length));
      assertThat(here).startsWith(java.util.Arrays.copyOf(bytes.get(i), Math.max(0, read)));
    }
    assertThat(calls).hasSize(1);
    for (int i = 0; i < bytes.size(); i++) {
      byte[] rest = all.get(i).readAllBytes();
      assertThat(rest).hasSize(Math.max(0, bytes.get(i).length - 100));
    }
  }

  @Property(tries = 200)
  void whatIsGivenUpLeavesNothingBehind(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 10) int count) throws Exception {
    Random random = new Random(seed);
    List<byte[]> bytes = segments(random, count, 5_000);
    SimulatedReader reader =
        new SimulatedReader(bytes, new Random(seed), random.nextBoolean(), random.nextInt(10_000));
    Thread answers = new Thread(reader::answerAll);
    answers.start();
    try (Memory memory = new Memory(30)) {
      BlockSpace blocks = new BlockSpace(memory.reduce.receive(), 100);
      List<LevitatedSegment> segments = open(bytes, reader, blocks, random);
      askForAll(segments, reader, random);
      byte[] some = new byte[500];
      for (int i = 0; i < 20; i++) {
        int which = random.nextInt(count);
        try {
          segments.get(which).read(some, 0, some.length);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("s" + which);
        }
      }
      segments.forEach(LevitatedSegment::close);
      segments.forEach(LevitatedSegment::close);
      // What was on its way may still be written, and only then be free.
      answers.interrupt();
      answers.join();
      reader.drain();
    }
  }

  @Test
  void theReaderOfAReduceThatIsKilledStopsWaiting() throws Exception {
    SimulatedReader reader =
        new SimulatedReader(List.of(new byte[100]), new Random(), false, Long.MAX_VALUE);
    try (Memory memory = new Memory(2)) {
      BlockSpace blocks = new BlockSpace(memory.reduce.receive(), 10);
      LevitatedSegment segment = new LevitatedSegment(reader, 0, "s0", 100, null, 0, blocks.poll());
      Thread.currentThread().interrupt();
      assertThatThrownBy(segment::read).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThatThrownBy(segment::read).hasMessageContaining("given up");
      segment.close();
      assertThat(memory.pool.freeUnits()).as("it is still being written").isEqualTo(1);
      reader.drain();
      assertThat(memory.pool.freeUnits()).isEqualTo(2);
    }
  }
}
