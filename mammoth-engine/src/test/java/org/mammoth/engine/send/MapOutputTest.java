// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.engine.send.SendFixture.UNIT;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.ReduceMemory;

/** Reduces read a map's output from memory, from the file, or from one after the other. */
class MapOutputTest {

  private SendFixture node = new SendFixture(64);

  /** An output of given segments, all of it in memory and in a file that counts its opens. */
  private final class Output implements SegmentStream.FileOpener {
    final byte[] bytes;
    final PartitionIndex index;
    final MapMemory map;
    final MapOutput output;
    final AtomicInteger opened = new AtomicInteger();

    Output(long seed, int... lengths) {
      bytes = new byte[Arrays.stream(lengths).sum()];
      new Random(seed).nextBytes(bytes);
      index = new PartitionIndex(lengths.length);
      int at = 0;
      for (int partition = 0; partition < lengths.length; partition++) {
        index.set(partition, at, lengths[partition] + 1, lengths[partition]);
        at += lengths[partition];
      }
      map = node.map("m" + seed);
      List<CacheUnit> units = new ArrayList<>();
      for (int from = 0; from < bytes.length; from += UNIT) {
        CacheUnit unit = map.send().poll();
        unit.put(0, bytes, from, Math.min(UNIT, bytes.length - from));
        units.add(unit);
      }
      output =
          new MapOutput(
              "job_1",
              "m" + seed,
              "file.out",
              index,
              CacheFile.of(map.send(), units, bytes.length),
              null);
      map.close();
    }

    @Override
    public InputStream open(String path, long from, long length) throws IOException {
      assertThat(path).isEqualTo("file.out");
      opened.incrementAndGet();
      return new ByteArrayInputStream(bytes, (int) from, (int) length);
    }

    SegmentStream stream(int partition, ReduceMemory reduce) {
      OutputPart part =
          new OutputPart(
              index.start(partition), index.rawLength(partition), index.partLength(partition));
      return new SegmentStream(output, partition, part, reduce.receive(), this);
    }

    byte[] segment(int partition) {
      int from = (int) index.start(partition);
      return Arrays.copyOfRange(bytes, from, from + (int) index.partLength(partition));
    }
  }

  @Test
  void anIndexHoldsLongOffsets() {
    PartitionIndex index = new PartitionIndex(3);
    index.set(2, 5L << 32, 3L << 31, 1L << 33);
    assertThat(index.partitions()).isEqualTo(3);
    assertThat(index.start(2)).isEqualTo(5L << 32);
    assertThat(index.rawLength(2)).isEqualTo(3L << 31);
    assertThat(index.partLength(2)).isEqualTo(1L << 33);
    assertThat(index.start(1) + index.rawLength(1) + index.partLength(1)).isZero();
  }

  @Test
  void aReducePaysForItsSegmentAndFreesItUnitByUnit() throws Exception {
    Output map = new Output(1, 4 * UNIT, UNIT);
    ReduceMemory reduce = node.reduce("r");
    try (SegmentStream in = map.stream(0, reduce)) {
      assertThat(reduce.used()).isEqualTo(4L * UNIT);
      assertThat(in.readNBytes(UNIT)).isEqualTo(Arrays.copyOf(map.bytes, UNIT));
      assertThat(reduce.used()).isEqualTo(3L * UNIT);
      assertThat(in.read()).isEqualTo(map.bytes[UNIT] & 0xff);
      in.readNBytes(UNIT - 1);
      assertThat(reduce.used()).isEqualTo(2L * UNIT);
    }
    assertThat(reduce.used()).as("what it leaves unread is free too").isZero();
    assertThat(node.usedUnits()).isEqualTo(1);
    assertThat(map.opened).hasValue(0);
    map.output.close();
    reduce.close();
    node.close();
  }

  /** The unit in which two segments meet belongs to the first; its reduce may give it back. */
  @Test
  void onlyWhatIsNotInMemoryIsReadFromTheFile() throws Exception {
    Output map = new Output(1, 3 * UNIT + UNIT / 2, 4 * UNIT);
    ReduceMemory first = node.reduce("r_0");
    ReduceMemory second = node.reduce("r_1");
    try (SegmentStream one = map.stream(0, first);
        SegmentStream two = map.stream(1, second)) {
      assertThat(map.output.release(first.receive(), 1)).isEqualTo(UNIT);
      assertThat(two.readAllBytes()).isEqualTo(map.segment(1));
      assertThat(two.fileBytes()).as("up to where its own units begin").isEqualTo(UNIT / 2);
      assertThat(two.memoryBytes()).isEqualTo(4 * UNIT - UNIT / 2);
      assertThat(one.readNBytes(2 * UNIT)).isEqualTo(Arrays.copyOf(map.bytes, 2 * UNIT));
      map.output.release(first.receive(), UNIT);
      assertThat(one.readAllBytes())
          .isEqualTo(Arrays.copyOfRange(map.bytes, 2 * UNIT, 3 * UNIT + UNIT / 2));
      assertThat(map.opened).hasValue(2);
    }
    map.output.close();
    first.close();
    second.close();
    assertThat(node.usedUnits()).isZero();
    node.close();
  }

  @Test
  void aSecondAttemptReadsFromTheFileWhatTheFirstHasUsedUp() throws Exception {
    Output map = new Output(1, 3 * UNIT);
    ReduceMemory first = node.reduce("r_0");
    ReduceMemory second = node.reduce("r_1");
    SegmentStream one = map.stream(0, first);
    SegmentStream two = map.stream(0, second);
    assertThat(second.used()).as("only one of them owns it").isZero();
    assertThat(two.readNBytes(10)).isEqualTo(Arrays.copyOf(map.bytes, 10));
    assertThat(map.opened).as("it is still in memory").hasValue(0);
    one.readNBytes(2 * UNIT);
    assertThat(two.readAllBytes()).isEqualTo(Arrays.copyOfRange(map.bytes, 10, 3 * UNIT));
    assertThat(map.opened).hasValue(1);
    two.close();
    assertThat(one.readAllBytes()).hasSize(UNIT);
    one.close();
    assertThat(node.usedUnits()).isZero();
    map.output.close();
    first.close();
    second.close();
    node.close();
  }

  @Test
  void revokedWhileItIsReadTheStreamGoesOnWithTheFile() throws Exception {
    Output map = new Output(2, 100, 3 * UNIT + 7);
    ReduceMemory reduce = node.reduce("r");
    try (SegmentStream in = map.stream(1, reduce)) {
      byte[] head = in.readNBytes(UNIT + 3);
      assertThat(map.output.drop(Long.MAX_VALUE)).as("what nobody has taken").isEqualTo(UNIT);
      assertThat(map.output.drop(Long.MAX_VALUE)).as("there is no more").isZero();
      assertThat(reduce.used()).as("the reduce's part").isEqualTo(3L * UNIT);
      assertThat(map.output.release(reduce.receive(), UNIT)).isEqualTo(UNIT);
      assertThat(map.output.release(reduce.receive(), Long.MAX_VALUE)).isEqualTo(2L * UNIT);
      assertThat(node.usedUnits()).isZero();
      byte[] tail = in.readAllBytes();
      assertThat(head).isEqualTo(Arrays.copyOf(map.segment(1), head.length));
      assertThat(tail)
          .isEqualTo(Arrays.copyOfRange(map.segment(1), head.length, map.segment(1).length));
      assertThat(map.opened).hasValue(1);
    }
    assertThat(map.stream(0, reduce).readAllBytes()).isEqualTo(map.segment(0));
    reduce.close();
    node.close();
  }

  @Test
  void noMoreIsDroppedThanIsWantedAndNothingOfAReduces() throws Exception {
    Output map = new Output(4, 3 * UNIT, 4 * UNIT);
    ReduceMemory reduce = node.reduce("r");
    SegmentStream in = map.stream(0, reduce);
    assertThat(map.output.untakenBytes()).isEqualTo(4L * UNIT);
    assertThat(map.output.drop(UNIT + 1)).isEqualTo(2L * UNIT);
    assertThat(map.output.untakenBytes()).isEqualTo(2L * UNIT);
    assertThat(map.output.drop(Long.MAX_VALUE)).isEqualTo(2L * UNIT);
    assertThat(reduce.used()).isEqualTo(3L * UNIT);
    assertThat(in.readAllBytes()).isEqualTo(map.segment(0));
    assertThat(map.opened).as("all of it came from memory").hasValue(0);
    in.close();
    assertThat(node.usedUnits()).isZero();
    assertThat(map.stream(1, reduce).readAllBytes()).isEqualTo(map.segment(1));
    assertThat(map.opened).hasValue(1);
    map.output.close();
    reduce.close();
    node.close();
  }

  @Test
  void aReduceThatHasEndedTakesNothingAndAnotherStillCan() throws Exception {
    Output map = new Output(3, UNIT);
    ReduceMemory ended = node.reduce("r_0");
    ended.close();
    assertThatThrownBy(() -> map.stream(0, ended)).isInstanceOf(IllegalStateException.class);
    ReduceMemory next = node.reduce("r_1");
    SegmentStream in = map.stream(0, next);
    assertThat(next.used()).isEqualTo(UNIT);
    assertThat(in.readAllBytes()).isEqualTo(map.bytes);
    in.close();
    assertThat(node.usedUnits()).isZero();
    map.output.close();
    next.close();
    node.close();
  }

  /** What a reduce took stays charged to it until the bytes are free, also when it is killed. */
  @Test
  void whatAKilledReduceHadTakenComesBackWithTheOutput() throws Exception {
    Output map = new Output(3, UNIT + 5, 2 * UNIT);
    ReduceMemory killed = node.reduce("r");
    SegmentStream in = map.stream(0, killed);
    in.read();
    killed.close();
    assertThat(node.usedUnits()).isEqualTo(4);
    assertThat(in.read()).as("its thread has not ended yet").isEqualTo(map.bytes[1] & 0xff);
    node.scheduler.endJob("job_1");
    assertThat(node.usedUnits()).isZero();
    assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(map.bytes, 2, UNIT + 5));
    in.close();
    map.output.close();
    node.close();
  }

  @Test
  void aFileThatIsTooShortIsAnErrorThatNamesIt() throws Exception {
    PartitionIndex index = new PartitionIndex(1);
    index.set(0, 0, 100, 100);
    MapOutput output = new MapOutput("job_1", "m", "/disk/file.out", index, null, null);
    assertThat(output.heldBytes() + output.drop(1)).isZero();
    SegmentStream in =
        new SegmentStream(
            output,
            0,
            output.part(0),
            null,
            (path, from, length) -> new ByteArrayInputStream(new byte[60]));
    assertThatThrownBy(in::readAllBytes)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/disk/file.out ends at byte 60")
        .hasMessageContaining("100");
    in.close();
    node.close();
  }

  /** Reduces of each partition, some twice, while somebody drops the output at some moment. */
  @Property(tries = 40)
  void everyReaderSeesItsSegmentWhateverIsDropped(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 3) int dropAfter) throws Exception {
    SendFixture f = new SendFixture(64);
    node = f;
    Random random = new Random(seed);
    int[] lengths = new int[1 + random.nextInt(6)];
    Arrays.setAll(lengths, i -> random.nextInt(4) == 0 ? 0 : random.nextInt(3 * UNIT));
    Output map = new Output(seed, lengths);
    List<ReduceMemory> reduces = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CountDownLatch started = new CountDownLatch(Math.min(dropAfter, 2 * lengths.length));
    List<Future<byte[]>> read = new ArrayList<>();
    List<Integer> partitions = new ArrayList<>();
    for (int i = 0; i < 2 * lengths.length; i++) {
      int partition = i % lengths.length;
      ReduceMemory reduce = f.reduce("r" + i);
      reduces.add(reduce);
      partitions.add(partition);
      int piece = 1 + random.nextInt(700);
      boolean early = random.nextInt(5) == 0;
      read.add(
          threads.submit(
              () -> {
                try (SegmentStream in = map.stream(partition, reduce)) {
                  started.countDown();
                  byte[] all = new byte[lengths[partition]];
                  int at = 0;
                  int now = 0;
                  while (now >= 0 && !(early && at > all.length / 2)) {
                    at += now;
                    now = in.read(all, at, Math.min(piece, Math.max(1, all.length - at)));
                  }
                  return early ? Arrays.copyOf(all, at) : all;
                }
              }));
    }
    if (dropAfter > 0) {
      started.await(10, TimeUnit.SECONDS);
      map.output.drop(Long.MAX_VALUE);
      reduces.forEach(reduce -> map.output.release(reduce.receive(), Long.MAX_VALUE));
    }
    for (int i = 0; i < read.size(); i++) {
      byte[] segment = map.segment(partitions.get(i));
      byte[] found = read.get(i).get(10, TimeUnit.SECONDS);
      assertThat(found).isEqualTo(Arrays.copyOf(segment, found.length));
    }
    threads.shutdown();
    map.output.close();
    reduces.forEach(ReduceMemory::close);
    f.close();
  }

  @Test
  void outputsAreFoundUntilTheirJobEnds() throws Exception {
    SendBuffer buffer = new SendBuffer();
    Output one = new Output(1, UNIT);
    Output two = new Output(2, UNIT);
    MapOutput other = new MapOutput("job_2", "m", "/gone", new PartitionIndex(1), null, null);
    buffer.publish(one.output);
    buffer.publish(two.output);
    buffer.publish(other);
    assertThat(buffer.find("job_1", "m1")).isSameAs(one.output);
    assertThat(buffer.find("job_1", "m3")).isNull();
    assertThat(buffer.find("job_3", "m1")).isNull();
    assertThat(buffer.outputs()).containsExactlyInAnyOrder(one.output, two.output, other);
    MapOutput again = new MapOutput("job_1", "m1", "file.out", one.index, null, null);
    buffer.publish(again);
    assertThat(one.output.heldBytes()).as("one of the same attempt is dropped").isZero();
    assertThat(buffer.find("job_1", "m1")).isSameAs(again);
    buffer.forget("job_2");
    assertThat(buffer.find("job_2", "m")).isNull();
    buffer.forget("job_1");
    buffer.forget("job_1");
    assertThat(buffer.outputs()).isEmpty();
    assertThat(node.ledger.used(BufferKind.SEND)).isZero();
    node.close();
  }
}
