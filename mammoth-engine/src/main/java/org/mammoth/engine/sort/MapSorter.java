// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.util.Progressable;

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

  private static final int WINDOW_BYTES = 64 << 10;

  /** What the windows of all runs that are merged take together, as long as each has a page. */
  private static final int WINDOWS_BYTES = 16 << 20;

  private static final int LEAST_WINDOW_BYTES = 4 << 10;
  private static final int PROGRESS_MASK = (1 << 16) - 1;

  private final KeyOrder order;
  private final int partitions;
  private final ElementSource source;
  private final RunStore runStore;
  private final Combiner combiner;
  private final Progressable progress;
  private final int combineFromRuns;
  private final int slabBytes;
  private final ElementSorter sorter;
  private final RecordBuffer buffer;
  private final SegmentWriter writer = new SegmentWriter(WINDOW_BYTES);
  private final List<Element> queue = new ArrayList<>();
  private final SortedBlocks blocks;
  private final ElementBatch batch;
  private final List<Run> runs = new ArrayList<>();
  private final List<LargeRecord> large = new ArrayList<>();
  private HashCombiner hash;
  private HashGrouper grouper;

  /** Where upstream's spills begin; null when they are not sorted one by one. */
  private UpstreamBuffer upstream;

  private UpstreamSort settings;

  /** The records since upstream's last spill; null when they are not sorted like it. */
  private Spill spill;

  /** Upstream's spills so far that are in memory; those before them are runs. */
  private final Deque<Spill> ended = new ArrayDeque<>();

  /** Whether upstream would have begun another spill with a large record. */
  private boolean endsWithLarge;

  /** Opens the table then; null if none is wanted. */
  private Supplier<Gatherer> afterSpill;

  /** Whether there are runs that a combiner has not seen. */
  private boolean hasRawRuns;

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
   * @param progress told now and then while records are merged
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
    this.source = source;
    this.slabBytes = slabBytes;
    this.runStore = runStore;
    this.combiner = combiner;
    this.combineFromRuns = combineFromRuns;
    this.progress = progress;
    this.sorter = new ElementSorter(order, partitions);
    this.blocks = new SortedBlocks(source, slabBytes, partitions);
    this.batch = new ElementBatch(source, slabBytes, sorter, blocks);
    this.buffer = new RecordBuffer(order, this);
  }

  /**
   * Has records come out as they do with upstream, spill by spill, while there is memory: equal
   * keys in its order, whatever the comparator, and combined as often. A hash table is used when
   * there is no memory. Called before the first record, and before a hash table is wanted.
   */
  public void sortLikeUpstream(UpstreamSort settings) {
    this.settings = settings;
    upstream = new UpstreamBuffer(settings);
    spill = newSpill();
  }

  private Spill newSpill() {
    boolean inBlocks = order.isTotal() && Integer.bitCount(slabBytes) == 1;
    return inBlocks
        ? new BlockSpill(order, source, slabBytes, sorter, partitions)
        : new CollectedSpill(source, slabBytes, sorter, partitions);
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
    if (spill == null) {
      buffer.gatherLater(opener);
    } else {
      afterSpill = opener;
    }
  }

  /** Takes the records. */
  public RecordBuffer buffer() {
    return buffer;
  }

  @Override
  public void full(Element element) throws IOException, InterruptedException {
    if (spill == null || !addToSpills(element)) {
      sortInBatch(element);
    }
  }

  private void sortInBatch(Element element) {
    if (!batch.add(element)) {
      settle();
    }
  }

  /** Adds an element to upstream's spills; false if what is left of it goes elsewhere. */
  private boolean addToSpills(Element element) throws IOException, InterruptedException {
    if (endsWithLarge) {
      endsWithLarge = false;
      if (!goesOn()) {
        leaveSpills(false);
        return false;
      }
      endSpill();
    }
    while (true) {
      int taken = upstream.take(element, 0);
      boolean ends = taken < element.count();
      if (ends && !goesOn()) {
        leaveSpills(false);
        return false;
      }
      if (taken > 0 && !addToSpill(element, taken)) {
        return false;
      }
      if (!ends) {
        return true;
      }
      endSpill();
      element.dropFirst(taken);
    }
  }

  private boolean addToSpill(Element element, int taken) throws IOException, InterruptedException {
    if (spill.add(element, taken) || writeEnded() && spill.add(element, taken)) {
      return true;
    }
    leaveSpills(true);
    return spill != null && taken == element.count() && spill.add(element, taken);
  }

  /** Whether records are still sorted like upstream's after its first spill. */
  private boolean goesOn() {
    return !hasRawRuns && settings.isSteady();
  }

  /** Does what upstream does with a spill, but keeps it in memory. */
  private void endSpill() throws IOException, InterruptedException {
    if (spill.isEmpty()) {
      return;
    }
    if (combiner == null) {
      spill.end();
      ended.add(spill);
      spill = newSpill();
    } else {
      writeRun(List.of(spill), true);
      spill.free();
    }
  }

  /** Writes the spills that are in memory as runs; false if there are none. */
  private boolean writeEnded() throws IOException, InterruptedException {
    boolean any = !ended.isEmpty();
    while (!ended.isEmpty()) {
      writeRun(List.of(ended.peek()), false);
      ended.remove().free();
    }
    return any;
  }

  /**
   * Goes on as for any order of equal keys.
   *
   * @param starved whether memory is short: what has been collected is written as a run. If a
   *     combiner is to run once, it does so when all runs are merged, and the spill goes on
   */
  private void leaveSpills(boolean starved) throws IOException, InterruptedException {
    if (starved && combinesOnce()) {
      hasRawRuns = true;
      flushQueue();
      return;
    }
    if (!spill.isEmpty()) {
      flushQueue();
    }
    spill.free();
    spill = null;
    if (afterSpill != null && !finishing) {
      buffer.gatherLater(afterSpill);
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
    if (slab == null && writeEnded()) {
      slab = source.poll();
    }
    if (slab != null) {
      return slab;
    }
    if (grouper != null && grouper.hasRecords()) {
      flushGroups();
    }
    if (spill != null && !spill.isEmpty()) {
      leaveSpills(true);
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
    if (spill != null && !upstream.take(record.keyLength(), record.valueLength())) {
      upstream.take(record.keyLength(), record.valueLength());
      endsWithLarge = true;
    }
  }

  /** Merges the element queue into a run. */
  private void flushQueue() throws IOException, InterruptedException {
    // no combiner within the one whose output is being sorted: it may keep state while it runs
    boolean combining = hash != null && hash.isCombining();
    writeRun(
        spill == null || spill.isEmpty() ? List.of() : List.of(spill),
        combiner != null && !combining && !combinesOnce());
    freeQueue();
  }

  private void writeRun(List<Spill> spills, boolean combine)
      throws IOException, InterruptedException {
    try (RunStore.Writer run = runStore.create(partitions)) {
      merge(run, List.of(), spills, List.of(), combine);
      runs.add(run.finish());
    }
  }

  /** Writes the gathered groups as a run. */
  private void flushGroups() throws IOException, InterruptedException {
    try (RunStore.Writer run = runStore.create(partitions)) {
      grouper.writeTo(run, writer);
      runs.add(run.finish());
    }
  }

  /** Whether upstream's combiner would not have run yet. */
  private boolean combinesOnce() {
    return combiner != null && spill != null && (runs.isEmpty() || hasRawRuns);
  }

  /** Whether all records so far are in upstream's spills, of which there are several. */
  private boolean hasUpstreamSpills() {
    boolean several = !runs.isEmpty() || !ended.isEmpty();
    return several && spill != null && !hasRawRuns;
  }

  private void freeQueue() {
    for (Element element : queue) {
      unused(element.bytes());
    }
    queue.clear();
    blocks.free();
    if (spill != null) {
      spill.free();
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
    if (hasUpstreamSpills()) {
      if (combiner != null) {
        endSpill();
      }
      boolean enough = runs.size() >= combineFromRuns || !large.isEmpty();
      merge(output, runs, allSpills(), large, combiner != null && enough);
    } else {
      if (combiner != null && !combinesOnce() && !runs.isEmpty() && hasQueued()) {
        // what comes out of a run has been combined already; so has what joins it
        flushQueue();
      }
      merge(output, runs, allSpills(), large, mustCombine(unique));
    }
    close();
  }

  private List<Spill> allSpills() {
    List<Spill> all = new ArrayList<>(ended);
    if (spill != null && !spill.isEmpty()) {
      all.add(spill);
    }
    return all;
  }

  private boolean mustCombine(boolean unique) {
    boolean enough = hasRawRuns || runs.size() >= combineFromRuns;
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
    return !queue.isEmpty() || !blocks.isEmpty() || !allSpills().isEmpty();
  }

  private void merge(
      PartitionedOutput output,
      List<Run> from,
      List<Spill> spills,
      List<LargeRecord> largeOnes,
      boolean combine)
      throws IOException, InterruptedException {
    boolean inPasses = from.size() + spills.size() > 1 && hasUpstreamSpills();
    List<PartitionCursor> sorted = new ArrayList<>();
    for (Element element : queue) {
      sorted.add(new IndexCursor(element.index()));
    }
    for (Spill each : spills) {
      sorted.add(each.cursor());
    }
    for (SortedBlock block : blocks.all()) {
      sorted.add(new BlockCursor(order, block));
    }
    LargeCursor largeOnly = largeOnes.isEmpty() ? null : new LargeCursor(largeOnes);
    for (int partition = 0; partition < partitions; partition++) {
      List<RecordCursor> cursors = new ArrayList<>();
      try {
        for (int i = 0; i < from.size(); i++) {
          Run run = from.get(i);
          long length = run.length(partition);
          int window = (int) Math.min(window(from.size()), length);
          cursors.add(new SegmentCursor(order, run.open(partition), "run " + i, window, length));
        }
        for (PartitionCursor each : sorted) {
          each.enter(partition);
          cursors.add(each);
        }
        if (largeOnly != null) {
          largeOnly.enter(partition);
          cursors.add(largeOnly);
        }
        writer.begin(output.begin(partition));
        MergeQueue merged =
            inPasses
                ? likeUpstream(cursors, from, spills, partition)
                : new MergeQueue(order, cursors);
        // upstream combines spills even where there is no record
        if (combine && (inPasses || !merged.isEmpty())) {
          combiner.combine(merged, writer);
        } else {
          copy(merged);
        }
        writer.end();
        output.end(partition, writer.rawBytes(), writer.records());
        progress.progress();
      } finally {
        for (RecordCursor cursor : cursors) {
          cursor.close();
        }
      }
    }
  }

  private static int window(int runs) {
    return Math.max(LEAST_WINDOW_BYTES, Math.min(WINDOW_BYTES, WINDOWS_BYTES / runs));
  }

  /** Merges upstream's spills as it does. Large records come last among equal keys. */
  private MergeQueue likeUpstream(
      List<RecordCursor> cursors, List<Run> from, List<Spill> spills, int partition) {
    if (cursors.size() > from.size() + spills.size() || cursors.size() <= settings.mergeFactor()) {
      return MergeQueue.likeUpstream(order, cursors);
    }
    List<UpstreamMerge.Input> inputs = new ArrayList<>();
    for (RecordCursor cursor : cursors) {
      int place = inputs.size();
      long length =
          place < from.size()
              ? from.get(place).length(partition)
              : spills.get(place - from.size()).length(partition);
      inputs.add(new UpstreamMerge.Input(cursor, length));
    }
    return new UpstreamMerge(order, settings.mergeFactor()).merge(inputs);
  }

  private void copy(MergeQueue merged) throws IOException {
    int copied = 0;
    while (merged.next()) {
      writer.append(merged.top());
      if ((++copied & PROGRESS_MASK) == 0) {
        progress.progress();
      }
    }
  }

  /** How many runs were made because the output did not fit the element queue. */
  public int runs() {
    return runs.size();
  }

  /** How many records were too large for an element; each is a run of its own beside those. */
  public int largeRecords() {
    return large.size();
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
    ended.forEach(Spill::free);
    ended.clear();
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
