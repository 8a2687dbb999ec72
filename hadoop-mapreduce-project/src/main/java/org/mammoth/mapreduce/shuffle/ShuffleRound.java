// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin.Context;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilical;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.StockFetchers;
import org.apache.hadoop.util.Time;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.levitated.MergeChoice;
import org.mammoth.mapreduce.MammothShuffleCounter;
import org.mammoth.mapreduce.buffers.ReduceBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.sort.MergedRecords;
import org.mammoth.mapreduce.transfer.EngineShuffle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over all maps of a job for one reduce attempt, up to a merge whose first record stands
 * ready. A reduce has one, and another one when a source is lost before that record. The reduce's
 * thread, but for {@link #reportException} and what revokes memory.
 */
final class ShuffleRound<K, V> implements ExceptionReporter {

  private static final int REPORTS_THAT_COUNT = 3;

  /** Upstream's thread for what the reduce's own does here. */
  private static final String EVENT_FETCHER = "EventFetcher for fetching Map Completion Events";

  private static final Logger LOG = LoggerFactory.getLogger(ShuffleRound.class);

  private static final int DEFAULT_PARALLEL_COPIES = 5;

  private final Context<K, V> context;
  private final JobConf job;

  /** Of its own for each round, as they know what the round has read. */
  private final CompletionEvents mapEvents;

  private final ShuffleCounts counts;
  private final MergeMode mode;
  private final ReceiveBuffer<K, V> receiveBuffer;
  private final NodeAwareScheduler<K, V> scheduler;

  /** Null where no engine's shuffle is. */
  private final RemoteOutputs remoteOutputs;

  /** Null where nothing stays at its source. */
  private final Levitation levitation;

  private final MergeChoice choice;
  private final boolean pushes;
  private final boolean byNodes;
  private final boolean byTurns;

  /** Null until there is something to fetch in the stock way. */
  private StockFetchers<K, V> fetchers;

  private EventFollower follower;
  private boolean counted;
  private volatile Throwable failure;

  /** The thread on which it happened. */
  private String failed;

  /**
   * Nothing is asked for yet.
   *
   * @param memory of the attempt
   * @param lost map attempts whose output no engine is asked for, as it was lost in a round before
   */
  ShuffleRound(Context<K, V> context, TaskBuffers buffers, ReduceBuffers memory, Set<String> lost)
      throws IOException {
    this.context = context;
    this.job = context.getJobConf();
    this.mapEvents =
        new CompletionEvents(
            ((TaskUmbilical) context.getUmbilical())
                .mapEvents((TaskAttemptID) context.getReduceId()),
            job.getNumReduceTasks(),
            Time::monotonicNow);
    this.counts = new ShuffleCounts(context, buffers.counters());
    this.mode = ShuffleKeys.MERGE.get(job);
    FileSystem files = ((LocalFileSystem) context.getLocalFS()).getRaw();
    receiveBuffer =
        new ReceiveBuffer<>(
            job,
            files,
            context.getMapOutputFile(),
            memory.receive(),
            buffers.files(),
            context.getReduceId().getTaskID().getId(),
            context.getMergedMapOutputsCounter(),
            memory.desire());
    scheduler =
        new NodeAwareScheduler<>(
            context,
            this,
            new NodeOutputs(
                buffers.sendBuffer(),
                buffers.localDirs(),
                job,
                context.getReduceId().getJobID().toString(),
                context.getReduceId().getTaskID().getId()),
            receiveBuffer,
            counts,
            lost,
            this::startFetchers,
            new LevitatedOutputs(job.getNumMapTasks()));
    receiveBuffer.spillWith(scheduler.inbox()::post);
    receiveBuffer.aliveWith(context.getReporter()::progress);
    this.pushes = mode.pushes() && ShuffleKeys.PUSH.get(job);
    this.byNodes = receiveBuffer.mergesByNodes();
    this.byTurns = receiveBuffer.mergesByTurns();
    sayIfTooMany();
    EngineShuffle engine = allowed(buffers.shuffle());
    if (engine == null) {
      choice = MergeChoice.nothingStays();
      levitation = null;
      remoteOutputs = null;
      buffers.merges(this::way);
      return;
    }
    RemoteLink link = link(engine);
    ReceiveStore store = receiveBuffer.store();
    levitation = receiveBuffer.levitates() ? levitation(engine, link, store) : null;
    choice =
        levitation == null
            ? MergeChoice.nothingStays()
            : new MergeChoice(mode, job.getNumMapTasks(), memory.receive()::roomBytes);
    remoteOutputs = new RemoteOutputs(link, store, scheduler, levitation, choice);
    scheduler.use(remoteOutputs);
    buffers.merges(this::way);
  }

  private void sayIfTooMany() {
    if (mode.levitates() && mode != MergeMode.VIRTUAL && !byNodes && !BlockSizes.fit(job)) {
      LOG.info(
          "{} maps are too many for two blocks of each in {}: {}",
          job.getNumMapTasks(),
          ShuffleKeys.LEVITATED_BUFFER_BYTES.name(),
          byTurns
              ? "what stays at other nodes is merged by turns"
              : "nothing stays at other nodes, as compressed or encrypted output cannot be merged"
                  + " by turns");
    }
  }

  /** What a job wants to have encrypted passes no engines that do not encrypt. */
  private EngineShuffle allowed(EngineShuffle engine) {
    if (engine == null || engine.isEncrypted() || !job.getBoolean(ShuffleKeys.SSL_ENABLED, false)) {
      return engine;
    }
    LOG.warn(
        "Map output of other nodes is fetched in the stock way: {} is true for this job and false"
            + " for this node, whose engines do not encrypt what they send. Set it for the cluster",
        ShuffleKeys.SSL_ENABLED);
    return null;
  }

  private Levitation levitation(EngineShuffle engine, RemoteLink link, ReceiveStore store) {
    BlockSpace blocks = BlockSizes.space(job, store.units());
    if (byTurns || byNodes) {
      // nothing of a segment is here until its turn
      blocks.close();
    }
    StockSegment stock =
        new StockSegment(
            context.getReduceTask().getShuffleSecret(),
            engine.stockConnections(),
            store,
            link.options().stallMs());
    return new Levitation(link, engine.ranges(), store, blocks, new Rescue(stock, store, link));
  }

  private RemoteLink link(EngineShuffle engine) {
    org.apache.hadoop.mapreduce.TaskAttemptID reduce = context.getReduceId();
    return new RemoteLink(
        reduce.getJobID().toString(),
        reduce.getTaskID().getId(),
        reduce.toString(),
        engine.client(),
        engine.scheduler(),
        engine.peers(reduce.getJobID().toString()),
        mapEvents::expect,
        scheduler.inbox(),
        new RemoteLink.Options(
            pushes,
            job.getInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, DEFAULT_PARALLEL_COPIES),
            engine.windowBytes(),
            engine.pauseMs(),
            engine.stallMs(),
            engine.busyMs()));
  }

  /** Bytes in memory that could be had back; any thread. */
  long revocableBytes() {
    return receiveBuffer.revocableBytes();
  }

  /** Gives memory back, or has it spilled; any thread. */
  long revoke(long wanted) {
    return receiveBuffer.revoke(wanted);
  }

  /**
   * Gets everything there, or its header, and merges up to the first record.
   *
   * @throws SourceLostEarlyException if what stayed at another node was lost before that
   */
  RawKeyValueIterator run() throws IOException, InterruptedException {
    Runnable unlisten = mapEvents.onChange(scheduler::poke);
    try {
      while (!scheduler.waitUntilDone(passEvents())) {
        context.getReporter().progress();
        throwFailure();
      }
      throwFailure();
    } finally {
      unlisten.run();
      if (remoteOutputs != null) {
        remoteOutputs.close();
      }
      stopFetchers();
    }
    receiveBuffer.endSpills();
    receiveBuffer.onFailure(this::reportDamaged);
    LOG.info("{}", how());
    if (levitation == null || !levitation.isUsed()) {
      return receiveBuffer.close();
    }
    follower =
        new EventFollower(
            context.getReduceId().toString(),
            scheduler::follow,
            mapEvents::next,
            levitation,
            context.getReporter()::progress);
    follower.start();
    try {
      MergedRecords merge = receiveBuffer.close();
      levitation.begin();
      merge.begin();
      return merge;
    } catch (IOException | RuntimeException e) {
      boolean ended = e instanceof InterruptedIOException || Thread.currentThread().isInterrupted();
      receiveBuffer.seeWhatFailed();
      Set<String> lost = levitation.broken();
      if (ended) {
        throw e;
      }
      if (lost.isEmpty()) {
        reportDamaged();
        throw e;
      }
      throw new SourceLostEarlyException(lost, e);
    }
  }

  private int passEvents() throws IOException {
    try {
      return mapEvents.pass(scheduler::resolve);
    } catch (CompletionEvents.UnansweredException e) {
      throw StockFetchers.error(EVENT_FETCHER, e);
    }
  }

  /** How other nodes' output is got, as chosen and, if that is another way, as done; any thread. */
  private String way() {
    String chosen = mode.name().toLowerCase(Locale.ROOT);
    String done = done();
    return done.equals(chosen) ? chosen : chosen + ": " + done;
  }

  private String done() {
    String comes = pushes ? "push" : "spill";
    if (levitation == null) {
      return comes;
    }
    String stays = byNodes ? "node" : byTurns ? "virtual" : "levitated";
    if (receiveBuffer.hasOwnBlocks()) {
      stays = "levitated";
    }
    if (choice.leavesAll()) {
      return stays;
    }
    return levitation.isUsed() ? comes + ", some " + stays : comes;
  }

  /** What the choice was, with its numbers. */
  private String how() {
    return String.format(
        "%s=%s: %d maps, %s, %d bytes went to this node's disks",
        ShuffleKeys.MERGE.name(),
        mode.name().toLowerCase(Locale.ROOT),
        job.getNumMapTasks(),
        levitation == null ? "nothing may stay at other nodes" : levitation.toString(),
        receiveBuffer.spilledBytes());
  }

  /**
   * Has the maps run again whose outputs on this node turned out to be damaged, or whose outputs at
   * other nodes were lost while they were merged; the attempt ends all the same.
   */
  private void reportDamaged() {
    Set<String> lost = levitation == null ? Set.of() : levitation.broken();
    report(lost.isEmpty() ? receiveBuffer.damaged() : lost);
  }

  /**
   * Tells the ApplicationMaster that outputs are not to be had, so that their maps run again. It
   * acts on three reports of a map, and counts them one by one.
   */
  void report(Iterable<String> maps) {
    for (String map : maps) {
      for (int i = 0; i < REPORTS_THAT_COUNT; i++) {
        context.getStatus().addFetchFailedMap(TaskAttemptID.forName(map));
      }
    }
    try {
      context.getReduceTask().statusUpdate(context.getUmbilical());
    } catch (IOException e) {
      LOG.warn("The ApplicationMaster was not told which map outputs are damaged", e);
    }
  }

  /** Most reduces of a small cluster need no fetcher; those that do start them here. */
  private void startFetchers() {
    if (fetchers == null) {
      fetchers = StockFetchers.start(context, scheduler, receiveBuffer, this);
      LOG.info("Fetching from other nodes with {} fetchers", fetchers.count());
    }
  }

  private void stopFetchers() throws InterruptedException {
    if (fetchers != null) {
      fetchers.shutDown();
    }
    scheduler.close();
  }

  private void throwFailure() throws IOException {
    Throwable thrown = failure;
    if (thrown != null) {
      throw StockFetchers.error(failed, thrown);
    }
  }

  @Override
  public void reportException(Throwable thrown) {
    synchronized (scheduler) {
      if (failure == null) {
        failed = Thread.currentThread().getName();
        failure = thrown;
      }
      scheduler.notifyAll();
    }
  }

  /** Counts where all that has come has come from; once. */
  void count() {
    if (counted) {
      return;
    }
    counted = true;
    CameFrom bytes = receiveBuffer.cameFrom();
    counts.list(MammothShuffleCounter.MEMORY_BYTES, bytes.memory());
    counts.list(MammothShuffleCounter.DISK_BYTES, bytes.disk());
    counts.list(MammothShuffleCounter.NETWORK_BYTES, bytes.network());
    counts.add(MammothShuffleCounter.REDUCE_SPILLED_BYTES, receiveBuffer.spilledBytes());
    counts.add(MammothShuffleCounter.REFETCHED_BYTES, refetchedBytes());
    counts.add(MammothShuffleCounter.VIRTUAL_SEGMENTS, receiveBuffer.turnSegments());
    NodeStreams streams = receiveBuffer.streams();
    if (streams != null) {
      counts.add(MammothShuffleCounter.NODE_MERGED_BYTES, streams.mergedBytes());
      counts.add(MammothShuffleCounter.NODE_MERGED_RECORDS, streams.mergedRecords());
      counts.add(MammothShuffleCounter.SINGLE_SEGMENTS, streams.singleOutputs());
    }
  }

  private long refetchedBytes() {
    return (levitation == null ? 0 : levitation.refetchedBytes()) + receiveBuffer.refetchedBytes();
  }

  /**
   * Everything is fetched anew: this round counts nothing but what it has written and fetched for
   * nothing.
   */
  void countInVain() {
    counted = true;
    counts.takeBack();
    long came = levitation == null ? 0 : levitation.cameBytes();
    counts.add(MammothShuffleCounter.REDUCE_SPILLED_BYTES, receiveBuffer.spilledBytes());
    counts.add(
        MammothShuffleCounter.REFETCHED_BYTES,
        refetchedBytes() + came + receiveBuffer.arrivedBytes());
  }

  /** Ends what is under way and frees everything; safe to call twice. */
  void end() {
    if (follower != null) {
      follower.end();
    }
    if (remoteOutputs != null) {
      remoteOutputs.close();
    }
    scheduler.dropLevitated();
    try {
      receiveBuffer.release();
    } catch (IOException e) {
      LOG.warn("Freeing the inputs of {}", context.getReduceId(), e);
    }
    if (levitation != null) {
      levitation.close();
    }
  }
}
