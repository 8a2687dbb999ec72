// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.WritableComparator;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.levitated.table.SegmentDirectory;
import org.mammoth.engine.levitated.table.SegmentTable;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;

/** Random segments, memory, delays and failures; one seed says all of them. */
class VirtualMergeTest {

  private static final int UNIT = 4096;
  private static final Duration LONG = Duration.ofSeconds(60);

  /** The first of them, as WritableUtils writes a number. */
  private static final byte FIVE_BYTES = -116;

  /** A comparator of the job's, of which the engine knows nothing. */
  private static final class Own implements RawComparator<BytesWritable> {
    @Override
    public int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
      return WritableComparator.compareBytes(a, aFrom + 4, aLength - 4, b, bFrom + 4, bLength - 4);
    }

    @Override
    public int compare(BytesWritable a, BytesWritable b) {
      return a.compareTo(b);
    }
  }

  private static SegmentTable table(TestUnits units, VirtualSizing sizes, List<byte[]> segments)
      throws IOException {
    SegmentTable table = new SegmentTable(units, sizes.subtreeSegments());
    for (int i = 0; i < segments.size(); i++) {
      assertThat(table.add(i % 7, i, 0, segments.get(i).length - 4, i)).isEqualTo(i);
    }
    return table;
  }

  private static VirtualSizing sizes(Random random, int segments, int units) {
    VirtualSizing.Requested requested =
        new VirtualSizing.Requested(
            random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 0,
            random.nextInt(3) == 0 ? 64 + random.nextInt(2000) : 0,
            random.nextInt(3) == 0 ? 500 + random.nextInt(8000) : 0,
            1 + random.nextInt(4));
    return VirtualSizing.of(segments, (long) units * UNIT, UNIT, requested);
  }

  @Property(tries = 400)
  void itMergesAsAPlainMergeDoes(@ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int count)
      throws IOException {
    Random random = new Random(seed);
    Segments.Spread spread =
        Segments.Spread.values()[random.nextInt(Segments.Spread.values().length)];
    List<byte[]> segments =
        Segments.random(random, count, 1 + random.nextInt(60), random.nextInt(200), spread);
    int planned = 24 + random.nextInt(200);
    VirtualSizing sizes = sizes(random, count, planned);
    Statistics.label("sizes").collect(sizes == null ? "too small" : "fits");
    if (sizes == null) {
      return;
    }
    Supplier<KeyOrder> orders =
        random.nextBoolean()
            ? () -> KeyOrders.of(new BytesWritable.Comparator())
            : () -> KeyOrders.of(new Own());
    byte[] expected = Segments.merged(orders.get(), segments);
    long all = segments.stream().mapToLong(each -> each.length).sum();
    try (TestUnits units = new TestUnits(UNIT, planned + 40)) {
      SimulatedSources sources = new SimulatedSources(random, segments, -1);
      VirtualMerge merge =
          new VirtualMerge(
              table(units, sizes, segments),
              sources,
              units,
              4,
              orders,
              sources,
              sizes,
              FillLevels.DEFAULT);
      assertThat(Segments.drained(merge.queue(), random)).as("%s", sizes).isEqualTo(expected);
      MergeCounts counts = merge.counts();
      assertThat(sources.bytes).isEqualTo(counts.fetchedBytes());
      // a value that nobody asked for does not come at all
      assertThat(counts.fetchedBytes()).isLessThanOrEqualTo(all + counts.refetchedBytes());
      Statistics.label("fetched again").collect(counts.refetchedBytes() * 100 / all);
      Statistics.label("waits").collect(counts.waits() > sizes.activeSubtrees());
      long again = 0;
      for (byte[] reads : sources.reads) {
        for (byte times : reads) {
          again += Math.max(0, times - 1);
        }
      }
      assertThat(again).isLessThanOrEqualTo(counts.refetchedBytes());
      merge.close();
      merge.close();
    }
  }

  /** Some of the segments are merged beside it, each in its place among equal keys. */
  @Property(tries = 300)
  void inputsBesideItComeWhereTheirMapsStand(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 200) int count) throws IOException {
    Random random = new Random(seed);
    List<byte[]> all =
        Segments.random(random, count, 30, random.nextInt(300), Segments.Spread.EQUAL);
    KeyOrder order =
        KeyOrders.of(random.nextBoolean() ? new BytesWritable.Comparator() : new Own());
    int one = 1 + random.nextInt(20);
    List<byte[]> away = new ArrayList<>();
    List<Integer> maps = new ArrayList<>();
    List<Integer> beside = new ArrayList<>();
    List<RecordCursor> cursors = new ArrayList<>();
    for (int map = 0; map < count; map++) {
      if (random.nextInt(one) == 0 && !away.isEmpty()) {
        RecordCursor cursor = Segments.cursor(order, all.get(map), 64 + random.nextInt(2_000));
        cursor.rank(map);
        cursors.add(cursor);
        beside.add(map);
      } else {
        away.add(all.get(map));
        maps.add(map);
      }
    }
    int planned = 40 + random.nextInt(200);
    VirtualSizing sizes = sizes(random, away.size(), planned);
    Statistics.label("sizes").collect(sizes == null ? "too small" : "fits");
    if (sizes == null) {
      return;
    }
    try (TestUnits units = new TestUnits(UNIT, planned + 40)) {
      SimulatedSources sources = new SimulatedSources(random, away, -1);
      SegmentTable table = new SegmentTable(units, sizes.subtreeSegments());
      for (int i = 0; i < away.size(); i++) {
        table.add(0, maps.get(i), 0, away.get(i).length - 4, i);
      }
      try (VirtualMerge merge =
          new VirtualMerge(
              table,
              sources,
              units,
              4,
              () -> order,
              sources,
              sizes,
              FillLevels.DEFAULT,
              beside.stream().mapToInt(each -> each).toArray())) {
        cursors.addAll(random.nextInt(cursors.size() + 1), merge.cursors());
        assertThat(Segments.drained(new MergeQueue(order, cursors), random))
            .isEqualTo(Segments.merged(order, all));
      }
    }
  }

  /** All that was planned is there, and nothing beside it. */
  @Property(tries = 400)
  void aTurnThatTheReduceWaitsForBegins(
      @ForAll long seed, @ForAll @IntRange(min = 20, max = 300) int count) throws IOException {
    Random random = new Random(seed);
    List<byte[]> segments =
        Segments.random(random, count, 60, random.nextInt(400), Segments.Spread.EVEN);
    VirtualSizing sizes = sizes(random, count, 24 + random.nextInt(60));
    if (sizes == null) {
      return;
    }
    byte[] expected = Segments.merged(KeyOrders.of(new BytesWritable.Comparator()), segments);
    int perUnit = UNIT / SegmentDirectory.ENTRY_BYTES / sizes.subtreeSegments();
    int subtrees = (count + sizes.subtreeSegments() - 1) / sizes.subtreeSegments();
    int table = (subtrees + perUnit - 1) / perUnit;
    try (TestUnits units = new TestUnits(UNIT, table + (int) (sizes.pagesBytes() / UNIT))) {
      SimulatedSources sources = new SimulatedSources(random, segments, -1);
      try (VirtualMerge merge = merge(units, sizes, segments, sources)) {
        assertThat(Segments.drained(merge.queue(), random)).isEqualTo(expected);
        Statistics.label("outcome").collect("merged");
      } catch (IOException e) {
        // records may be too large for what is there, and then it says how much is missing
        Statistics.label("outcome").collect(e.getMessage().replaceAll("[0-9]+", "N"));
        assertThat(e).hasMessageNotContaining("no memory at all");
      }
    }
  }

  @Property(tries = 200)
  void aFailureEndsItAndNothingStaysLent(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 400) int served) throws IOException {
    Random random = new Random(seed);
    List<byte[]> segments = Segments.random(random, 100, 30, 100, Segments.Spread.EVEN);
    VirtualSizing sizes = sizes(random, 100, 60);
    byte[] expected = Segments.merged(KeyOrders.of(new BytesWritable.Comparator()), segments);
    try (TestUnits units = new TestUnits(UNIT, 100)) {
      SimulatedSources sources = new SimulatedSources(random, segments, served);
      try (VirtualMerge merge = merge(units, sizes, segments, sources)) {
        try {
          assertThat(Segments.drained(merge.queue(), random)).isEqualTo(expected);
        } catch (IOException e) {
          assertThat(e).hasStackTraceContaining("the source is gone");
        }
      }
      while (sources.advance()) {
        // what was under way comes too late and changes nothing
      }
    }
  }

  private static VirtualMerge merge(
      TestUnits units, VirtualSizing sizes, List<byte[]> segments, SimulatedSources sources)
      throws IOException {
    return new VirtualMerge(
        table(units, sizes, segments),
        sources,
        units,
        4,
        () -> KeyOrders.of(new BytesWritable.Comparator()),
        sources,
        sizes,
        FillLevels.DEFAULT);
  }

  /** Nothing comes before the reduce waits; what it has asked for before that is counted. */
  private static final class Patient implements RangeReader, StepRunner {
    private final OwnThreadStepRunner steps = new OwnThreadStepRunner();
    private final ArrayDeque<RangeRequest> underWay = new ArrayDeque<>();
    private final List<byte[]> segments;
    private boolean waits;
    private int askedBefore;
    private int asked;

    Patient(List<byte[]> segments) {
      this.segments = segments;
    }

    @Override
    public void read(List<RangeRequest> requests) {
      underWay.addAll(requests);
      asked += requests.size();
      // one alone is a value that was left at its source
      askedBefore += waits || requests.size() == 1 ? 0 : requests.size();
    }

    @Override
    public void execute(Runnable step) {
      steps.execute(step);
    }

    @Override
    public void await(BooleanSupplier ready) {
      waits = true;
      while (!ready.getAsBoolean()) {
        steps.runReady();
        if (!ready.getAsBoolean()) {
          serve(underWay.remove());
        }
      }
      waits = false;
    }

    private void serve(RangeRequest range) {
      range
          .into()
          .put(segments.get(range.segment()), (int) range.offset(), range.into().remaining());
      range.done().accept(null);
    }

    @Override
    public void runReady() {
      steps.runReady();
    }

    @Override
    public void wake() {}
  }

  /** Paper, §3.2: near-demand merging. The runner is the one that tasks have. */
  @Test
  void turnsBeginBeforeTheReduceHasToWait() throws IOException {
    Random random = new Random(5);
    List<byte[]> segments = Segments.random(random, 100, 400, 20, Segments.Spread.EVEN);
    byte[] expected = Segments.merged(KeyOrders.of(new BytesWritable.Comparator()), segments);
    VirtualSizing sizes = VirtualSizing.of(100, 60L * UNIT, UNIT, VirtualSizing.Requested.NONE);
    try (TestUnits units = new TestUnits(UNIT, 60)) {
      Patient patient = new Patient(segments);
      try (VirtualMerge merge =
          new VirtualMerge(
              table(units, sizes, segments),
              patient,
              units,
              4,
              () -> KeyOrders.of(new BytesWritable.Comparator()),
              patient,
              sizes,
              FillLevels.DEFAULT)) {
        assertThat(Segments.drained(merge.queue(), random)).isEqualTo(expected);
      }
      assertThat(patient.askedBefore)
          .as("of %d ranges", patient.asked)
          .isGreaterThan(patient.asked / 8);
    }
  }

  @Test
  void aWrongValueDoesNotFitTheChecksum() throws IOException {
    Random random = new Random(4);
    List<byte[]> segments = Segments.random(random, 40, 30, 4, Segments.Spread.EVEN);
    byte[] bad = segments.get(17);
    bad[bad.length - 7] ^= 1;
    VirtualSizing sizes = VirtualSizing.of(40, 60L * UNIT, UNIT, VirtualSizing.Requested.NONE);
    try (TestUnits units = new TestUnits(UNIT, 60)) {
      SimulatedSources sources = new SimulatedSources(random, segments, -1);
      try (VirtualMerge merge = merge(units, sizes, segments, sources)) {
        assertThatThrownBy(() -> Segments.drained(merge.queue(), random))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("segment 17 does not fit its checksum");
      }
    }
  }

  @Test
  void aDamagedSegmentIsNamed() throws IOException {
    Random random = new Random(3);
    List<byte[]> segments = Segments.random(random, 40, 30, 100, Segments.Spread.EVEN);
    byte[] bad = segments.get(17);
    bad[bad.length - 5] = 5;
    VirtualSizing sizes = VirtualSizing.of(40, 60L * UNIT, UNIT, VirtualSizing.Requested.NONE);
    try (TestUnits units = new TestUnits(UNIT, 60)) {
      SimulatedSources sources = new SimulatedSources(random, segments, -1);
      try (VirtualMerge merge = merge(units, sizes, segments, sources)) {
        assertThatThrownBy(() -> Segments.drained(merge.queue(), random))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("segment 17 is damaged");
      }
    }
  }

  /** Two lengths that seem to go on behind the last byte there is. */
  @Test
  void aSegmentWithoutAnEndIsNamed() throws IOException {
    Random random = new Random(3);
    List<byte[]> segments = Segments.random(random, 40, 30, 100, Segments.Spread.EVEN);
    byte[] bad = segments.get(17);
    bad[bad.length - 6] = FIVE_BYTES;
    bad[bad.length - 1] = FIVE_BYTES;
    VirtualSizing sizes = VirtualSizing.of(40, 60L * UNIT, UNIT, VirtualSizing.Requested.NONE);
    try (TestUnits units = new TestUnits(UNIT, 60)) {
      SimulatedSources sources = new SimulatedSources(random, segments, -1);
      try (VirtualMerge merge = merge(units, sizes, segments, sources)) {
        assertThatThrownBy(
                () ->
                    assertTimeoutPreemptively(LONG, () -> Segments.drained(merge.queue(), random)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("segment 17 is damaged")
            .hasMessageContaining("no end");
      }
    }
  }
}
