// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.util.Progressable;
import org.mammoth.engine.sort.MapMerge.Sorted;
import org.mammoth.engine.sort.elements.BlockCursor;
import org.mammoth.engine.sort.elements.CountedSlabs;
import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.elements.ElementBatch;
import org.mammoth.engine.sort.elements.ElementSorter;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.elements.Gatherer;
import org.mammoth.engine.sort.elements.IndexCursor;
import org.mammoth.engine.sort.elements.SortedBlock;
import org.mammoth.engine.sort.elements.SortedBlocks;
import org.mammoth.engine.sort.groups.GroupCombiner;
import org.mammoth.engine.sort.groups.HashCombiner;
import org.mammoth.engine.sort.groups.HashGrouper;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.PartitionedOutput;
import org.mammoth.engine.sort.merge.SegmentWriter;
import org.mammoth.engine.sort.spill.BlockSpill;
import org.mammoth.engine.sort.spill.CollectedSpill;
import org.mammoth.engine.sort.spill.GatheredSpill;
import org.mammoth.engine.sort.spill.Spill;
import org.mammoth.engine.sort.spill.SpillChoice;
import org.mammoth.engine.sort.spill.UpstreamSort;
import org.mammoth.engine.sort.spill.UpstreamSpills;

/**
 * Sorts the output of one map (Mammoth paper, Shi et al. 2015, §3.2): full elements are sorted as
 * they come and wait in the element queue; when the queue has its share of memory it is merged into
 * a run of the sort buffer; at the end runs and queue are merged into the final output. The common
 * map, whose output fits the queue, merges once. Where the order of equal keys may show in what the
 * job does with them, records are sorted spill by spill as upstream would, if there is memory.
 *
 * <p>One thread at a time.
 */
public final class MapSorter implements Closeable, RecordBuffer.Drain {

  private final KeyOrder order;
  private final int partitions;
  private final CountedSlabs source;
  private final RunStore runStore;
  private final Combiner combiner;
  private final int combineFromRuns;
  private final int slabBytes;
  private final ElementSorter sorter;
  private final RecordBuffer buffer;
  private final SegmentWriter writer = new SegmentWriter(MapMerge.WINDOW_BYTES);
  private final MapMerge mapMerge;
  private final List<Element> queue = new ArrayList<>();
  private final SortedBlocks blocks;
  private final ElementBatch batch;
  private final List<Run> runs = new ArrayList<>();
  private final List<LargeRecord> large = new ArrayList<>();
  private int largeRecords;
  private HashCombiner hash;
  private HashGrouper grouper;

  private UpstreamSort settings;

  /** Null if records are not sorted by upstream's spills. */
  private UpstreamSpills spills;

  /** Opens a hash table once upstream's spills are left; null if none is wanted. */
  private Supplier<Gatherer> afterSpills;

  private boolean finishing;
  private boolean closed;

  /**
   * A sorter for one map.
   *
   * @param order of the job's keys
   * @param partitions at least 1
   * @param source lends slabs of {@code slabBytes}
   * @param runStore keeps runs when the output does not fit the queue
   * @param combiner the job's, or null
   * @param combineFromRuns the final merge combines runs only if there are at least so many
   *     (mapreduce.map.combine.minspills)
   * @param progress told with each record that is merged
   */
  public MapSorter(
      KeyOrder order,
      int partitions,
      ElementSource source,
      int slabBytes,
      RunStore runStore,
      Combiner combiner,
      int combineFromRuns,
      Progressable progress) {
    this.order = order;
    this.partitions = partitions;
    this.source = new CountedSlabs(source);
    this.slabBytes = slabBytes;
    this.runStore = runStore;
    this.combiner = combiner;
    this.combineFromRuns = combineFromRuns;
    this.mapMerge = new MapMerge(order, partitions, combiner, writer, progress);
    this.sorter = new ElementSorter(order, partitions);
    this.blocks = new SortedBlocks(this.source, slabBytes, partitions);
    this.batch = new ElementBatch(this.source, slabBytes, sorter, blocks);
    this.buffer = new RecordBuffer(order, this);
  }

  /**
   * Has records come out as they do with upstream, spill by spill, while there is memory: equal
   * keys in its order, whatever the comparator, and combined as often. A hash table is used when
   * there is no memory. Called before the first record, and before a hash table is wanted.
   */
  public void sortLikeUpstream(UpstreamSort settings) {
    this.settings = settings;
    spills = new UpstreamSpills(settings, combiner != null, this::newSpill, new SpillRuns());
  }

  private Spill newSpill() {
    boolean pages = Integer.bitCount(slabBytes) == 1;
    if (!order.isTotal() || !pages) {
      return new CollectedSpill(order, source, slabBytes, sorter, partitions);
    }
    return new SpillChoice(
        order,
        source,
        new BlockSpill(order, source, slabBytes, sorter, partitions),
        () -> new GatheredSpill(order, source, slabBytes, sorter, partitions),
        () -> new CollectedSpill(order, source, slabBytes, sorter, partitions));
  }

  /**
   * Lets records be combined in a hash table before they are sorted, if there is memory for one
   * when there are more than fit an element. Called before the first record.
   */
  public void combineBeforeSort(GroupCombiner groups) {
    gather(
        () -> {
          hash = HashCombiner.open(order, partitions, source, groups, buffer::sort);
          return hash;
        });
  }

  /**
   * Lets records of one key be gathered in a hash table, if there is memory for one when there are
   * more than fit an element, so that only distinct keys are sorted. For maps without a combiner,
   * before the first record.
   */
  public void groupBeforeSort() {
    gather(
        () -> {
          grouper = HashGrouper.open(order, partitions, source, this::flushGroups, buffer::sort);
          return grouper;
        });
  }

  private void gather(Supplier<Gatherer> opener) {
    if (spills == null) {
      buffer.gatherLater(opener);
    } else {
      afterSpills = opener;
    }
  }

  /** Takes the records. */
  public RecordBuffer buffer() {
    return buffer;
  }

  @Override
  public void full(Element element) throws IOException, InterruptedException {
    if (spills == null || !spills.add(element)) {
      gatherAfterSpills();
      sortInBatch(element);
    }
  }

  private void sortInBatch(Element element) {
    if (!batch.add(element)) {
      settle();
    }
  }

  private void gatherAfterSpills() {
    if (afterSpills != null && !spills.areOpen() && !finishing) {
      buffer.gatherLater(afterSpills);
      afterSpills = null;
    }
  }

  /** Sorts what waits to be sorted. */
  private void settle() {
    batch.settle(queue);
  }

  @Override
  public byte[] slab() throws IOException, InterruptedException {
    byte[] slab = source.poll();
    if (slab == null && !batch.isEmpty()) {
      settle();
      slab = source.poll();
    }
    if (slab == null && spills != null && spills.writeEnded()) {
      slab = source.poll();
    }
    if (slab != null) {
      return slab;
    }
    if (grouper != null && grouper.hasRecords()) {
      flushGroups();
    }
    if (spills != null && spills.hasRecords()) {
      spills.giveMemory();
      gatherAfterSpills();
    } else if (hasQueued()) {
      flushQueue();
    }
    return source.take();
  }

  @Override
  public void unused(byte[] slab) {
    source.give(slab);
  }

  @Override
  public RunStore.Writer beginValue() throws IOException, InterruptedException {
    return runStore.create(1);
  }

  @Override
  public void large(LargeRecord record) {
    large.add(record);
    largeRecords++;
    if (spills != null) {
      spills.addLarge(record.keyLength(), record.valueLength());
    }
  }

  /** Merges the element queue into a run. */
  private void flushQueue() throws IOException, InterruptedException {
    // no combiner within the one whose output is being sorted: it may keep state while it runs
    boolean combining = hash != null && hash.isCombining();
    flushQueue(combiner != null && !combining && !combineOnce());
  }

  private void flushQueue(boolean combine) throws IOException, InterruptedException {
    writeRun(spills == null ? List.of() : spills.current(), queued(), combine);
    freeQueue();
  }

  private void writeRun(List<Spill> spilled, List<PartitionCursor> others, boolean combine)
      throws IOException, InterruptedException {
    try (RunStore.Writer run = runStore.create(partitions)) {
      mapMerge.merge(run, new Sorted(List.of(), spilled, others, List.of()), combine);
      runs.add(run.finish());
    }
  }

  /** What was sorted without regard to upstream's spills, and is in no run. */
  private List<PartitionCursor> queued() {
    List<PartitionCursor> cursors = new ArrayList<>();
    for (Element element : queue) {
      cursors.add(new IndexCursor(element.index()));
    }
    for (SortedBlock block : blocks.all()) {
      cursors.add(new BlockCursor(order, block));
    }
    return cursors;
  }

  private final class SpillRuns implements UpstreamSpills.Runs {

    @Override
    public void write(Spill spill, boolean combine) throws IOException, InterruptedException {
      writeRun(List.of(spill), List.of(), combine);
    }

    @Override
    public void writeAll(boolean combine) throws IOException, InterruptedException {
      flushQueue(combine);
    }
  }

  /** Writes the gathered groups as a run. */
  private void flushGroups() throws IOException, InterruptedException {
    try (RunStore.Writer run = runStore.create(partitions)) {
      grouper.writeTo(run, writer);
      runs.add(run.finish());
    }
  }

  private boolean combineOnce() {
    return spills != null && spills.combineOnce();
  }

  private void freeQueue() {
    for (Element element : queue) {
      unused(element.bytes());
    }
    queue.clear();
    blocks.free();
    if (spills != null) {
      spills.freeCurrent();
    }
  }

  /**
   * Merges everything into the final output. Memory is given back as it is used up.
   *
   * @throws InterruptedException if the task was killed
   */
  public void finish(PartitionedOutput output) throws IOException, InterruptedException {
    finishing = true;
    boolean unique = drainHash();
    buffer.handOn();
    settle();
    if (grouper != null && grouper.hasRecords()) {
      if (runs.isEmpty() && hasSortedNothing()) {
        grouper.writeTo(output, writer);
        close();
        return;
      }
      flushGroups();
    }
    LargeCursor.sort(order, large);
    if (spills != null && spills.areSeveral()) {
      mergeLikeUpstream(output);
    } else {
      if (combiner != null && !combineOnce() && !runs.isEmpty() && hasQueued()) {
        // what comes out of a run has been combined already; so has what joins it
        flushQueue();
      }
      boolean combine = mustCombine(unique);
      if (combiner != null && !combine) {
        combineLarge();
      }
      List<Spill> inMemory = spills == null ? List.of() : spills.all();
      mapMerge.merge(output, new Sorted(runs, inMemory, queued(), large), combine);
    }
    close();
  }

  private void mergeLikeUpstream(PartitionedOutput output)
      throws IOException, InterruptedException {
    if (combiner != null) {
      spills.endSpill();
    }
    boolean combine = combiner != null && runs.size() >= combineFromRuns;
    if (combiner != null && !combine) {
      combineLarge();
    }
    Sorted all = new Sorted(runs, spills.all(), List.of(), large);
    if (runs.size() + all.spills().size() > 1) {
      mapMerge.mergeLikeUpstream(output, all, combine, settings.mergeFactor());
    } else {
      mapMerge.merge(output, all, combine);
    }
  }

  /** Combines the large records, of which no run has seen one, where what is in runs was. */
  private void combineLarge() throws IOException, InterruptedException {
    if (large.isEmpty()) {
      return;
    }
    try (RunStore.Writer run = runStore.create(partitions)) {
      mapMerge.merge(run, new Sorted(List.of(), List.of(), List.of(), large), true);
      runs.add(run.finish());
    }
    large.clear();
  }

  private boolean mustCombine(boolean unique) {
    boolean raw = spills != null && spills.hasRawRuns();
    boolean enough = raw || runs.size() >= combineFromRuns;
    return combiner != null && (runs.isEmpty() ? !unique : enough);
  }

  /** Empties the hash table into the sorter; true if all records of the map come from there. */
  private boolean drainHash() throws IOException, InterruptedException {
    buffer.gatherNoMore();
    if (hash == null) {
      return false;
    }
    boolean unique =
        !hash.isGivenUp() && !hash.hasFlushed() && hasSortedNothing() && !buffer.hasRecords();
    hash.finish();
    return unique;
  }

  private boolean hasSortedNothing() {
    return !hasQueued() && batch.isEmpty() && large.isEmpty();
  }

  private boolean hasQueued() {
    return !queue.isEmpty() || !blocks.isEmpty() || hasSpills();
  }

  private boolean hasSpills() {
    return spills != null && !spills.all().isEmpty();
  }

  /** Bytes of memory in which records are that are in no run. */
  public long bytesInMemory() {
    return (long) source.lent() * slabBytes;
  }

  /** How many runs were made because the output did not fit the element queue. */
  public int runs() {
    return runs.size();
  }

  /** How many records were too large for an element; each is a run of its own beside those. */
  public int largeRecords() {
    return largeRecords;
  }

  /** Frees everything; nothing can be collected any more. Safe to call twice. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (hash != null) {
      hash.close();
    }
    if (grouper != null) {
      grouper.close();
    }
    buffer.release();
    batch.drop();
    freeQueue();
    if (spills != null) {
      spills.free();
    }
    List<Run> all = new ArrayList<>(runs);
    large.forEach(record -> all.add(record.value()));
    IOException failed = null;
    for (Run run : all) {
      try {
        run.close();
      } catch (IOException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
