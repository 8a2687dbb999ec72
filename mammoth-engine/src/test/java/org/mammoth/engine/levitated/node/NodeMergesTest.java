// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.BytesWritable;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.levitated.virtual.Segments;
import org.mammoth.engine.levitated.virtual.Segments.Spread;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;

class NodeMergesTest {

  private static final String JOB = "job_1_0001";
  private static final int UNIT = 4 << 10;
  private static final int PARTITION = 2;
  private static final int BYTES_ORDER = KeyOrders.numberOf(new BytesWritable.Comparator());
  private static final KeyOrder ORDER = KeyOrders.of(new BytesWritable.Comparator());

  private final Outputs outputs = new Outputs();
  private final AtomicLong clock = new AtomicLong(1);
  private final Ledger ledger = new Ledger(1L << 30);
  private final NodeMerges merges = merges(4 << 20);

  private NodeMerges merges(long bytes) {
    return new NodeMerges(
        outputs, new InputWindows(BufferType.ARRAY, UNIT, ledger), bytes, clock::get);
  }

  /** Outputs in memory, some of which are read by a thread that comes later. */
  private static final class Outputs implements SegmentSource {
    private final Map<String, byte[]> bytes = new HashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private boolean later;
    private boolean broken;
    private boolean packed;
    private int reads;

    MergeList list(String name, List<byte[]> segments) {
      List<MergeList.Part> parts = new ArrayList<>();
      for (int i = 0; i < segments.size(); i++) {
        String attempt = "attempt_1_0001_m_" + i + "_0";
        bytes.put(attempt, segments.get(i));
        parts.add(new MergeList.Part(attempt, 7));
      }
      return new MergeList(JOB, name, PARTITION, BYTES_ORDER, parts);
    }

    @Override
    public Segment find(String job, String mapAttempt, int partition) {
      byte[] found = bytes.get(mapAttempt);
      if (found == null || partition != PARTITION) {
        return null;
      }
      open.incrementAndGet();
      return new Segment() {
        @Override
        public boolean verify() {
          CRC32 sum = new CRC32();
          int end = found.length - Integer.BYTES;
          sum.update(found, 0, end);
          return ByteBuffer.wrap(found).getInt(end) == (int) sum.getValue();
        }

        @Override
        public long rawLength() {
          return found.length == 0 ? 0 : packed ? found.length * 3L : found.length - 4;
        }

        @Override
        public long partLength() {
          return found.length;
        }

        @Override
        public long identity() {
          return 7;
        }

        @Override
        public int flags() {
          return 0;
        }

        @Override
        public boolean blocks() {
          return !later;
        }

        @Override
        public Reading readLater(long offset, ByteBuffer into, Consumer<IOException> done)
            throws IOException {
          if (reads % 3 == 0) {
            read(offset, into);
            return Reading.DONE;
          }
          Thread reader =
              new Thread(
                  () -> {
                    IOException failure = null;
                    try {
                      read(offset, into);
                    } catch (IOException e) {
                      failure = e;
                    }
                    done.accept(failure);
                  });
          reader.start();
          return Reading.BEGUN;
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
          reads++;
          if (broken) {
            throw new IOException("the disk is broken");
          }
          into.put(found, (int) offset, into.remaining());
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }
  }

  private byte[] read(MergeList list, long offset, int length) throws IOException {
    try (Segment merge = merges.find(JOB, list.name(), PARTITION)) {
      ByteBuffer into = ByteBuffer.allocate(length);
      merge.read(offset, into);
      assertThat(into.hasRemaining()).isFalse();
      return into.array();
    }
  }

  /**
   * Reads it from front to end, as a reader on bad cables does: some of it twice, or much later.
   */
  private byte[] readAll(MergeList list, Random random, int most, boolean rests)
      throws IOException {
    int length = (int) merges.find(JOB, list.name(), PARTITION).partLength();
    byte[] all = new byte[length];
    int at = 0;
    while (at < length) {
      int count = Math.min(length - at, 1 + random.nextInt(most));
      System.arraycopy(read(list, at, count), 0, all, at, count);
      at += count;
      if (random.nextInt(10) == 0) {
        at -= random.nextInt(Math.min(at, 2 * most) + 1);
      }
      if (rests && random.nextInt(50) == 0) {
        at = random.nextInt(at + 1);
      }
    }
    return all;
  }

  @Property(tries = 60)
  void aStreamIsThePlainMergeOfItsListHoweverItIsRead(
      @ForAll long seed,
      @ForAll @IntRange(max = 40) int count,
      @ForAll @IntRange(max = 60) int records,
      @ForAll @IntRange(max = 3000) int valueBytes,
      @ForAll Spread spread,
      @ForAll boolean later)
      throws IOException {
    Random random = new Random(seed);
    outputs.later = later;
    List<byte[]> segments =
        new ArrayList<>(Segments.random(random, count + 1, records, valueBytes, spread));
    byte[] expected = Segments.merged(ORDER, segments);
    // A partition without a record may have no bytes at all.
    segments.add(random.nextInt(segments.size() + 1), new byte[0]);
    MergeList list = outputs.list("r." + seed, segments);
    merges.merge(list);
    int most = 1 + random.nextInt(20_000);
    assertThat(readAll(list, random, most, false)).isEqualTo(expected);
    merges.unmerge(list.key());
    assertThat(merges.heldUnits()).isZero();
    assertThat(merges.size()).isZero();
    assertThat(outputs.open).hasValue(0);
  }

  @Property(tries = 15)
  void itIsMergedAnewForAReaderThatGoesFarBack(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<byte[]> segments = Segments.random(random, 9, 200, 500, Spread.EVEN);
    MergeList list = outputs.list("r", segments);
    merges.merge(list);
    assertThat(readAll(list, random, 8_000, true)).isEqualTo(Segments.merged(ORDER, segments));
    merges.unmerge(list.key());
    assertThat(merges.heldUnits()).isZero();
  }

  @Test
  void whoReadsLongAgoRestsForOthers() throws IOException {
    List<byte[]> segments = Segments.random(new Random(1), 40, 100, 400, Spread.EVEN);
    byte[] expected = Segments.merged(ORDER, segments);
    List<MergeList> lists = new ArrayList<>();
    // A merge takes a quarter.
    NodeMerges few = merges(4L << 20);
    for (int i = 0; i < 4; i++) {
      MergeList list = outputs.list("r" + i, segments);
      lists.add(list);
      few.merge(list);
      few.find(JOB, list.name(), PARTITION);
    }
    MergeList late = outputs.list("late", segments);
    few.merge(late);
    assertThatThrownBy(() -> few.find(JOB, "late", PARTITION))
        .isInstanceOfSatisfying(
            SegmentUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BUSY))
        .hasMessageContaining("mammoth.shuffle.node.buffer-bytes");
    clock.addAndGet(TimeUnit.SECONDS.toNanos(11));
    few.merge(late);
    ByteBuffer into = ByteBuffer.allocate(expected.length);
    few.find(JOB, "late", PARTITION).read(0, into);
    assertThat(into.array()).isEqualTo(expected);
    few.jobFinished(JOB);
    assertThat(few.heldUnits()).isZero();
    assertThat(few.size()).isZero();
  }

  /** With the units and the memory that engines have, whether few are merged or many. */
  @Property(tries = 20)
  void whatAnEngineHasIsEnough(@ForAll @IntRange(min = 1, max = 1500) int count)
      throws IOException {
    InputWindows windows = new InputWindows(BufferType.ARRAY, 64 << 10, new Ledger(64 << 20));
    NodeMerges engine = new NodeMerges(outputs, windows, 32 << 20, clock::get);
    List<byte[]> segments = Segments.random(new Random(count), count, 5, 50, Spread.EVEN);
    byte[] expected = Segments.merged(ORDER, segments);
    for (int reduce = 0; reduce < 4; reduce++) {
      MergeList list = outputs.list("r" + reduce, segments);
      engine.merge(list);
      ByteBuffer into = ByteBuffer.allocate(expected.length);
      engine.find(JOB, list.name(), PARTITION).read(0, into.limit(expected.length / 2));
      into.limit(expected.length);
      engine.find(JOB, list.name(), PARTITION).read(expected.length / 2, into);
      assertThat(into.array()).isEqualTo(expected);
    }
  }

  @Test
  void whatIsMissingChangedOrPackedIsSaidBeforeAnythingIsMerged() throws IOException {
    List<byte[]> segments = Segments.random(new Random(1), 4, 10, 20, Spread.EVEN);
    MergeList list = outputs.list("r", segments);
    outputs.bytes.remove(list.parts().get(2).attempt());
    refused(list, Reason.NO_SUCH_OUTPUT, list.parts().get(2).attempt());

    List<MergeList.Part> parts = new ArrayList<>(outputs.list("r", segments).parts());
    parts.set(1, new MergeList.Part(parts.get(1).attempt(), 8));
    refused(
        new MergeList(JOB, "r", PARTITION, BYTES_ORDER, parts),
        Reason.CHANGED,
        parts.get(1).attempt());

    outputs.packed = true;
    refused(list, Reason.NO_SUCH_OUTPUT, "compressed or encrypted");
    assertThat(merges.size()).isZero();
    assertThat(outputs.open).hasValue(0);
    assertThatThrownBy(() -> merges.merge(new MergeList(JOB, "r", PARTITION, 99, parts)))
        .isInstanceOf(SegmentUnavailableException.class)
        .hasMessageContaining("99");
  }

  private void refused(MergeList list, Reason reason, String text) throws IOException {
    merges.merge(list);
    assertThatThrownBy(() -> merges.find(JOB, list.name(), PARTITION))
        .isInstanceOfSatisfying(
            SegmentUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(text);
  }

  @Test
  void aDiskThatBreaksOrADamagedSegmentEndsTheMergeForGood() throws IOException {
    List<byte[]> segments = Segments.random(new Random(3), 9, 300, 500, Spread.EVEN);
    MergeList list = outputs.list("r", segments);
    merges.merge(list);
    read(list, 0, 10);
    outputs.broken = true;
    int length = (int) merges.find(JOB, "r", PARTITION).partLength();
    gone(list, length);
    outputs.broken = false;
    gone(list, length);
    assertThat(merges.heldUnits()).isZero();

    merges.unmerge(list.key());
    byte[] damaged = outputs.bytes.get(list.parts().get(4).attempt());
    damaged[damaged.length / 2] ^= 1;
    refused(list, Reason.GONE, list.parts().get(4).attempt());
    assertThat(outputs.open).hasValue(0);
  }

  private void gone(MergeList list, int length) {
    assertThatThrownBy(() -> read(list, 0, length))
        .isInstanceOfSatisfying(
            SegmentUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GONE));
  }

  @Test
  void otherListsHaveOtherIdentities() {
    List<MergeList.Part> parts = List.of(new MergeList.Part("a", 1), new MergeList.Part("b", 2));
    MergeList list = new MergeList(JOB, "r", 1, 1, parts);
    List<MergeList> others =
        List.of(
            new MergeList(JOB, "r", 1, 2, parts),
            new MergeList(JOB, "r", 1, 1, List.of(parts.get(1), parts.get(0))),
            new MergeList(JOB, "r", 1, 1, parts.subList(0, 1)),
            new MergeList(
                JOB, "r", 1, 1, Arrays.asList(parts.get(0), new MergeList.Part("b", 2L << 32))));
    assertThat(others).noneMatch(other -> other.identity() == list.identity());
    assertThat(new MergeList(JOB, "s", 3, 1, parts).identity()).isEqualTo(list.identity());
  }

  @Test
  void whatIsNoMergeIsAnOutputAsEver() throws IOException {
    outputs.list("r", Segments.random(new Random(1), 1, 10, 20, Spread.EVEN));
    assertThat(merges.find(JOB, "attempt_1_0001_m_0_0", PARTITION)).isNotNull();
    assertThat(merges.find(JOB, "r", PARTITION)).isNull();
  }
}
