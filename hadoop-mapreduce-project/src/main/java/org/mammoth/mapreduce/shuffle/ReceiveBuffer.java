// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.thirdparty.com.google.common.io.Closer;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.config.SortKeys;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.SegmentStream;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.mapreduce.buffers.AttemptFiles;
import org.mammoth.mapreduce.sort.MergedRecords;
import org.mammoth.mapreduce.sort.SegmentFormat;
import org.mammoth.mapreduce.sort.StockSpill;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inputs of one reduce and their merge (Mammoth paper, Shi et al. 2015, §3.4): takes over what
 * maps of the node hold, receives what is fetched from other nodes, and merges all of it in one
 * pass while the reduce reads. Safe for fetcher threads until {@link #close}.
 */
final class ReceiveBuffer<K, V> implements MergeManager<K, V>, FetchedOutput.Sink {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiveBuffer.class);
  private static final int LARGEST_WINDOW = 256 << 10;

  /** Below a disk's page, so that the heap holds the windows of very many. */
  private static final int SMALLEST_WINDOW = 512;

  private static final long ALL_WINDOWS = 32L << 20;

  /** What segments on this node's disks are read with where they find no cache unit. */
  private static final long ALL_ARRAYS = 64L << 20;

  /** Of each such segment. */
  private static final int ARRAYS = 2;

  private static final int LARGEST_ARRAY = 64 << 10;

  /** How often a reduce of very many maps says what memory it wants. */
  private static final int DEMANDS = 16;

  private final JobConf job;
  private final FileSystem files;
  private final MapOutputFile names;
  private final SegmentFormat format;
  private final UnitSource units;
  private final SmallSegments small;
  private final AttemptFiles attempt;
  private final int partition;
  private final Counter merged;
  private final LongConsumer desire;
  private final KeyOrder order;
  private final int orderNumber;
  private final List<ReduceInput> inputs = new ArrayList<>();
  private final List<SegmentCursor> cursors = new ArrayList<>();
  private final Spills spills = new Spills();
  private final LongAdder spilled = new LongAdder();
  private Runnable failed = () -> {};

  /** What stays at other nodes and is merged by turns, or null. */
  private VirtualInputs virtual;

  /** Where what was to have no blocks of its own has them all the same; or null. */
  private volatile BlockSpace blocks;

  /** What other nodes merge for this reduce, or null. */
  private NodeStreams streams;

  private Runnable alive = () -> {};

  private long received;

  /** Inputs that stay at other nodes until they are merged. */
  private int away;

  /** Outputs of this node that were taken over; each may be dropped, as it is on disk too. */
  private final List<NodeOutputs.Found> taken = new CopyOnWriteArrayList<>();

  ReceiveBuffer(
      JobConf job,
      FileSystem files,
      MapOutputFile names,
      UnitSource units,
      AttemptFiles attempt,
      int partition,
      Counter merged,
      LongConsumer desire)
      throws IOException {
    this.job = job;
    this.files = files;
    this.names = names;
    this.format = new SegmentFormat(job);
    this.units = units;
    this.small = new SmallSegments(units);
    this.attempt = attempt;
    this.partition = partition;
    this.merged = merged;
    this.desire = desire;
    this.order = KeyOrders.of(job.getOutputKeyComparator());
    this.orderNumber = KeyOrders.numberOf(job.getOutputKeyComparator());
  }

  @Override
  public void waitForResource() {}

  @Override
  public MapOutput<K, V> reserve(TaskAttemptID map, long requestedSize, int fetcher) {
    return new FetchedOutput<>(map, requestedSize, job, store());
  }

  @Override
  public synchronized void fetched(ReduceInput input) {
    inputs.add(input);
    spills.add(input);
    received += input.rawLength();
    away += input instanceof LevitatedOutput ? 1 : 0;
    int maps = job.getNumMapTasks();
    if (inputs.size() >= maps || inputs.size() % Math.max(1, maps / DEMANDS) == 0) {
      desire.accept(demand(Math.max(0, maps - inputs.size())));
    }
  }

  /**
   * Bytes the reduce would hold if it could: what it has in memory, what is to come, and what it
   * takes to read ahead of the merge where a segment is on disk. One that came late to the node has
   * most of its segments in memory still, an early one had to drop them while maps ran; even parts
   * of the pool would make the late one drop them for nothing.
   */
  private long demand(int mapsToCome) {
    long bytes = revocableBytes() + received / inputs.size() * mapsToCome;
    for (NodeOutputs.Found each : taken) {
      // The first and the last unit of a part belong to its neighbours, too.
      if (each.output().heldBy(units) + units.unitBytes() < each.part().partLength()) {
        bytes += attempt.readAheadBytes(each.output().file(), units);
      }
    }
    return bytes
        + (long) (inputs.size() - taken.size() - away) * units.unitBytes()
        + demandOfAway();
  }

  /** What segments that stay at other nodes take at most, however many they are. */
  private long demandOfAway() {
    if (mergesByTurns()) {
      return Math.min(ShuffleKeys.VIRTUAL_BUFFER_BYTES.get(job), (long) away * units.unitBytes());
    }
    return 2L * away * BlockSizes.of(job, units.unitBytes());
  }

  /** A segment stays at its node until it is merged. */
  void left(LevitatedOutput output) {
    units.left(output.partLength());
  }

  /**
   * Has what came from other nodes spilled on demand; {@code later} runs on the reduce's thread.
   */
  void spillWith(Consumer<Runnable> later) {
    spills.use(later);
  }

  /** Nothing is spilled any more; before another thread works on what was left for the reduce's. */
  void endSpills() {
    spills.end();
  }

  @Override
  public Path newFile(TaskAttemptID map, long size) throws IOException {
    Path ofItsMap = names.getInputFileForWrite(map.getTaskID(), size);
    return ofItsMap.suffix("." + attempt.nextNumber());
  }

  /** What each of so many segments is merged through. */
  private static int window(int segments) {
    return between(SMALLEST_WINDOW, ALL_WINDOWS / Math.max(1, segments), LARGEST_WINDOW);
  }

  private static int arrayBytes(int segments) {
    return between(BlockSizes.SMALLEST, ALL_ARRAYS / ARRAYS / Math.max(1, segments), LARGEST_ARRAY);
  }

  private static int between(int least, long bytes, int most) {
    return (int) Math.max(least, Math.min(most, bytes));
  }

  /** Bytes of other nodes' map output that were written to this node's disks. */
  long spilledBytes() {
    return spilled.sum();
  }

  /** Where segments of other nodes are kept until they are merged. */
  ReceiveStore store() {
    return new ReceiveStore(units, small, files, attempt, this, format, spilled);
  }

  /** Takes over the output of a map of this node. */
  void take(NodeOutputs.Found here) {
    SegmentStream stream =
        new SegmentStream(
            here.output(),
            partition,
            here.part(),
            units,
            attempt.opener(IoClass.ACTIVE, units, arrayBytes(job.getNumMapTasks())));
    taken.add(here);
    fetched(
        new NodeInput(
            here.output().attempt(),
            stream,
            here.part().rawLength() - format.padding(),
            here.part().partLength(),
            format));
  }

  /**
   * Bytes in memory that could be had back: what was taken over, which is on this node's disks, and
   * what came from other nodes, until the merge begins.
   */
  long revocableBytes() {
    long bytes = spills.bytes();
    for (NodeOutputs.Found each : taken) {
      bytes += each.output().heldBy(units);
    }
    return bytes;
  }

  /**
   * Drops what was taken over last, and has what is missing then spilled; tells how many bytes came
   * or will come. Any thread; waits for nobody.
   */
  long revoke(long wanted) {
    long freed = 0;
    for (int i = taken.size() - 1; i >= 0 && freed < wanted; i--) {
      freed += taken.get(i).output().release(units, wanted - freed);
    }
    return freed < wanted ? freed + spills.begin(wanted - freed) : freed;
  }

  /** Length of this reduce's part of an output, as upstream counts shuffled bytes. */
  long shuffledBytes(NodeOutputs.Found here) {
    return here.part().partLength() - format.padding();
  }

  /**
   * Map attempts of this node whose part for this reduce can't be read from their files, or is not
   * what was written. Reads all of them.
   */
  List<String> damaged() {
    return taken.stream().filter(this::isDamaged).map(each -> each.output().attempt()).toList();
  }

  /**
   * Whether this reduce's part of an output of this node can't be read from its file, or is not
   * what was written. Reads all of it.
   */
  boolean isDamaged(NodeOutputs.Found here) {
    String file = here.output().file();
    long length = here.part().partLength();
    try {
      format.verify(attempt.open(file, here.part().start(), length, IoClass.ACTIVE, null), length);
      return false;
    } catch (IOException | RuntimeException e) {
      LOG.warn("The output of {} in {} is damaged", here.output().attempt(), file, e);
      return true;
    }
  }

  /** Where what the reduce has received and read so far came from. */
  synchronized CameFrom cameFrom() {
    return inputs.stream().map(ReduceInput::cameFrom).reduce(CameFrom.NOWHERE, CameFrom::plus);
  }

  /** What is called when the inputs can't be read to their end. */
  void onFailure(Runnable action) {
    failed = action;
  }

  @Override
  public synchronized MergedRecords close() throws IOException {
    spills.end();
    small.seal();
    long total = 0;
    for (ReduceInput input : inputs) {
      total += input.rawLength();
    }
    int window = window(inputs.size());
    merged.increment(inputs.size());
    // it does not depend on when they came how equal keys are ordered
    inputs.sort(Comparator.comparingInt(ReduceInput::map));
    StockMerge stock = StockMerge.of(job, inputs, format.isPlain());
    boolean likeStock = stock != null && isOrderKept();
    if (mergesByNodes() && !likeStock) {
      streams = new NodeStreams(job, units, order, orderNumber, alive);
      cursors.addAll(streams.open(inputs));
      return records(new MergeQueue(order, cursors), total);
    }
    List<RecordCursor> all = new ArrayList<>();
    Set<ReduceInput> byTurns = openAway(likeStock);
    if (virtual != null) {
      all.addAll(virtual.cursors());
    }
    for (ReduceInput input : stock == null ? inputs : stock.inputs()) {
      if (byTurns.contains(input)) {
        continue;
      }
      int size = (int) Math.min(window, input.rawLength());
      SegmentCursor cursor =
          new SegmentCursor(order, input.open(), input.name(), size, input.rawLength());
      if (virtual != null) {
        cursor.rank(input.map());
      }
      cursors.add(cursor);
    }
    all.addAll(cursors);
    MergeQueue queue =
        stock != null && virtual == null ? stock.merge(order, all) : new MergeQueue(order, all);
    return records(queue, total);
  }

  private MergedRecords records(MergeQueue queue, long total) {
    return new MergedRecords(queue, total, !job.getUseNewReducer(), this::cannotRead);
  }

  private void cannotRead() {
    seeWhatFailed();
    failed.run();
  }

  /** Sees whose segment it was if a merge by turns has failed because of one. */
  void seeWhatFailed() {
    if (virtual != null) {
      virtual.failed();
    }
  }

  /** Bytes that came from other nodes before the merge. */
  synchronized long arrivedBytes() {
    long bytes = 0;
    for (ReduceInput input : inputs) {
      bytes += input instanceof LevitatedOutput ? 0 : input.cameFrom().network();
    }
    return bytes;
  }

  /**
   * Whether segments that stay at other nodes hold memory in turns: on demand, or because there are
   * too many for blocks of their own.
   */
  boolean mergesByTurns() {
    MergeMode mode = ShuffleKeys.MERGE.get(job);
    boolean chosen = mode == MergeMode.VIRTUAL || mode.levitates() && !BlockSizes.fit(job);
    return chosen && format.isPlain() && !mergesByNodes();
  }

  /**
   * Whether segments may stay at other nodes until they are merged: not if they are too many for
   * blocks of their own and can neither hold memory in turns nor be merged by their nodes.
   */
  boolean levitates() {
    return ShuffleKeys.MERGE.get(job).levitates()
        && (BlockSizes.fit(job) || mergesByTurns() || mergesByNodes());
  }

  /** Whether other nodes are asked to merge what their maps wrote. */
  boolean mergesByNodes() {
    return ShuffleKeys.MERGE.get(job) == MergeMode.NODE && format.isPlain() && orderNumber > 0;
  }

  /** What is called now and then while a merge that goes on elsewhere gives the reduce nothing. */
  void aliveWith(Runnable action) {
    alive = action;
  }

  /** What other nodes merged; null if they were not asked. */
  synchronized NodeStreams streams() {
    return streams;
  }

  /**
   * Whether equal keys have to come in stock's order where that is known, so that what was to be
   * merged by turns or by nodes has blocks of its own: few enough for them, and the order may show.
   */
  private boolean isOrderKept() {
    return SortKeys.STOCK_ORDER.get(job)
        && BlockSizes.fit(job)
        && !StockSpill.isFoldedByReduce(job);
  }

  /**
   * Has those merged by turns of which nothing is here, or gives them blocks; tells which have
   * turns.
   *
   * @param likeStock whether none has
   */
  private Set<ReduceInput> openAway(boolean likeStock) throws IOException {
    if (!mergesByTurns() && !mergesByNodes()) {
      return Set.of();
    }
    List<LevitatedOutput> outputs = new ArrayList<>();
    List<ReduceInput> others = new ArrayList<>();
    for (ReduceInput input : inputs) {
      if (input instanceof LevitatedOutput output && output.staysAway()) {
        outputs.add(output);
      } else {
        others.add(input);
      }
    }
    if (outputs.isEmpty()) {
      return Set.of();
    }
    if (likeStock) {
      LOG.info(
          "{} segments have blocks of their own, so that equal keys come in the order that they have"
              + " on stock Hadoop; {}=false leaves them to {}",
          outputs.size(),
          SortKeys.STOCK_ORDER.name(),
          ShuffleKeys.MERGE.name());
    } else {
      int[] beside = others.stream().mapToInt(ReduceInput::map).toArray();
      virtual = VirtualInputs.of(job, outputs, units, order, beside);
      if (virtual != null) {
        return new HashSet<>(outputs);
      }
    }
    blocks = BlockSizes.space(job, units);
    outputs.get(0).levitation().useBlocks(blocks);
    return Set.of();
  }

  /**
   * Whether what was to be merged by turns or by nodes was not, as there was no memory for turns or
   * for the sake of the order; any thread.
   */
  boolean hasOwnBlocks() {
    return blocks != null;
  }

  /** Segments that were merged by turns. */
  synchronized int turnSegments() {
    return virtual == null ? 0 : virtual.segments();
  }

  /** Bytes that came more than once because there was no memory to keep them. */
  synchronized long refetchedBytes() {
    return virtual == null ? 0 : virtual.refetchedBytes();
  }

  /** Frees everything, whatever has been read. */
  synchronized void release() throws IOException {
    spills.end();
    // Each of them, whichever fails; the last one registered goes first.
    try (Closer all = Closer.create()) {
      all.register(small);
      inputs.forEach(all::register);
      cursors.forEach(cursor -> all.register(cursor::close));
      all.register(streams);
      all.register(virtual);
      if (blocks != null) {
        all.register(blocks::close);
      }
    }
  }
}
