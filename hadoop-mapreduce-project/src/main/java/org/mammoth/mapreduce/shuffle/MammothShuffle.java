package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapred.TaskUmbilical;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.Fetcher;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.levitated.MergeMode;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.mapreduce.MammothShuffleCounter;
import org.mammoth.mapreduce.buffers.JobWeight;
import org.mammoth.mapreduce.buffers.ReduceBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.events.MapEvents;
import org.mammoth.mapreduce.transfer.EngineShuffle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reduce side of a task in the engine: takes over what the node's maps hold, gets the rest from
 * other nodes' engines, or as upstream does, and hands the reduce one merge of everything. Outside
 * an engine it is not used.
 */
public final class MammothShuffle<K, V> implements ShuffleConsumerPlugin<K, V>, ExceptionReporter {

  private static final int REPORTS_THAT_COUNT = 3;
  private static final Logger LOG = LoggerFactory.getLogger(MammothShuffle.class);

  private static final int DEFAULT_PARALLEL_COPIES = 5;

  /** How often, one time after the other, and how long before each new try: as upstream. */
  private static final int QUESTIONS_THAT_MAY_FAIL = 10;

  private static final int PAUSE_AFTER_FAILURE_MS = 5_000;

  /** Upstream's bounds of what one question to the ApplicationMaster may ask for. */
  private static final int FEWEST_EVENTS = 100;

  private static final int MOST_EVENTS = 10_000;
  private static final int ALL_REDUCES_EVENTS = 3_000_000;

  private Context<K, V> context;
  private JobConf job;
  private ReceiveBuffer<K, V> receiveBuffer;
  private NodeAwareScheduler<K, V> scheduler;
  private MapEvents.Reader mapEvents;
  private RemoteOutputs remoteOutputs;
  private Levitation levitation;
  private EventFollower follower;
  private MergeMode mode;
  private ShuffleClientMetrics metrics;
  private final List<Fetcher<K, V>> fetchers = new ArrayList<>();
  private int nextEvent;
  private int failedQuestions;
  private boolean counted;
  private volatile Throwable failure;

  @Override
  public void init(Context<K, V> given) {
    TaskBuffers buffers = TaskBuffers.ofCurrentTask();
    if (buffers == null) {
      throw new IllegalStateException("this task does not run in an engine");
    }
    context = given;
    job = given.getJobConf();
    mapEvents =
        ((TaskUmbilical) given.getUmbilical()).mapEvents((TaskAttemptID) given.getReduceId());
    ReduceBuffers memory = buffers.openReduce(JobWeight.of(job));
    try {
      FileSystem files = ((LocalFileSystem) given.getLocalFS()).getRaw();
      receiveBuffer =
          new ReceiveBuffer<>(
              job,
              files,
              given.getMapOutputFile(),
              memory.receive(),
              buffers.files(),
              given.getReduceId().getTaskID().getId(),
              given.getMergedMapOutputsCounter(),
              memory.desire());
    } catch (IOException e) {
      throw new IllegalStateException("the format of this job's map output is not usable", e);
    }
    buffers.revocable(BufferKind.RECEIVE, receiveBuffer::revocableBytes, receiveBuffer::revoke);
    buffers.onEnd(this::close);
    scheduler =
        new NodeAwareScheduler<>(
            given,
            this,
            new NodeOutputs(
                buffers.sendBuffer(),
                buffers.localDirs(),
                job,
                given.getReduceId().getJobID().toString()),
            receiveBuffer,
            this::startFetchers);
    receiveBuffer.spillWith(scheduler.inbox()::post);
    receiveBuffer.aliveWith(given.getReporter()::progress);
    mode = ShuffleKeys.MERGE.get(job);
    if (buffers.shuffle() != null) {
      RemoteLink link = link(buffers.shuffle());
      ReceiveStore store = receiveBuffer.store();
      if (receiveBuffer.levitates()) {
        BlockSpace blocks =
            new BlockSpace(store.units(), BlockSizes.of(job, store.units().unitBytes()));
        if (receiveBuffer.mergesByTurns() || receiveBuffer.mergesByNodes()) {
          // nothing of a segment is here until its turn
          blocks.close();
        }
        levitation =
            new Levitation(
                link,
                buffers.shuffle().ranges(),
                store,
                blocks,
                new Rescue(
                    new StockSegment(
                        given.getReduceTask().getShuffleSecret(), store, link.options().stallMs()),
                    store,
                    link));
      }
      remoteOutputs =
          new RemoteOutputs(
              link, store, scheduler, levitation, levitation != null && mode.levitatesAll());
      scheduler.use(remoteOutputs);
    }
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
        map -> mapEvents.expect(TaskAttemptID.forName(map)),
        scheduler.inbox(),
        new RemoteLink.Options(
            mode.pushes() && ShuffleKeys.PUSH.get(job),
            job.getInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, DEFAULT_PARALLEL_COPIES),
            engine.windowBytes(),
            engine.pauseMs(),
            engine.stallMs(),
            engine.busyMs()));
  }

  @Override
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    int reduces = Math.max(1, job.getNumReduceTasks());
    int events = Math.min(MOST_EVENTS, Math.max(FEWEST_EVENTS, ALL_REDUCES_EVENTS / reduces));
    Runnable unlisten = mapEvents.onChange(scheduler::poke);
    try {
      while (!scheduler.waitUntilDone(resolveEvents(events))) {
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
    context.getCopyPhase().complete();
    context.getStatus().setPhase(TaskStatus.Phase.SORT);
    context.getReduceTask().statusUpdate(context.getUmbilical());
    receiveBuffer.onFailure(this::reportDamaged);
    LOG.info("{}", how());
    if (levitation == null || !levitation.isUsed()) {
      return receiveBuffer.close();
    }
    follower =
        new EventFollower(
            context.getReduceId().toString(),
            scheduler::follow,
            () -> nextEvents(events),
            levitation);
    follower.start();
    RawKeyValueIterator merge = receiveBuffer.close();
    levitation.begin();
    return merge;
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
   * other nodes were lost while they were merged; the attempt ends all the same. The
   * ApplicationMaster acts on three reports of a map, and counts them one by one.
   */
  private void reportDamaged() {
    Set<String> lost = levitation == null ? Set.of() : levitation.broken();
    for (String map : lost.isEmpty() ? receiveBuffer.damaged() : lost) {
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

  /**
   * Looks at what has become of maps. An ApplicationMaster that does not answer is asked again, as
   * by upstream's {@code EventFetcher}.
   *
   * @return milliseconds until it is worth while to look again
   */
  private int resolveEvents(int most) throws IOException {
    try {
      TaskCompletionEvent[] events;
      do {
        events = nextEvents(most);
        for (TaskCompletionEvent event : events) {
          scheduler.resolve(event);
        }
      } while (events.length == most);
      failedQuestions = 0;
      return (int) mapEvents.pauseMs();
    } catch (IOException e) {
      failedQuestions++;
      if (failedQuestions >= QUESTIONS_THAT_MAY_FAIL) {
        throw new IOException("too many failures downloading events of completed maps", e);
      }
      LOG.info("The ApplicationMaster does not tell which maps have completed; asked again", e);
      return PAUSE_AFTER_FAILURE_MS;
    }
  }

  private TaskCompletionEvent[] nextEvents(int most) throws IOException {
    MapTaskCompletionEventsUpdate update = mapEvents.next(nextEvent, most);
    TaskCompletionEvent[] events = update.getMapTaskCompletionEvents();
    nextEvent = events.length + (update.shouldReset() ? 0 : nextEvent);
    return events;
  }

  /** Most reduces of a small cluster need no fetcher; those that do start them here. */
  private void startFetchers() {
    if (!fetchers.isEmpty()) {
      return;
    }
    int count = job.getInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, DEFAULT_PARALLEL_COPIES);
    metrics = ShuffleClientMetrics.create(context.getReduceId(), job);
    for (int i = 0; i < count; i++) {
      Fetcher<K, V> fetcher =
          new Fetcher<>(
              job,
              context.getReduceId(),
              scheduler,
              receiveBuffer,
              context.getReporter(),
              metrics,
              this,
              context.getReduceTask().getShuffleSecret());
      fetchers.add(fetcher);
      fetcher.start();
    }
    LOG.info("Fetching from other nodes with {} fetchers", count);
  }

  private void stopFetchers() throws InterruptedException {
    for (Fetcher<K, V> fetcher : fetchers) {
      fetcher.shutDown();
    }
    scheduler.close();
  }

  private void throwFailure() throws IOException {
    Throwable thrown = failure;
    if (thrown != null) {
      throw new IOException("error in shuffle", thrown);
    }
  }

  @Override
  public void reportException(Throwable thrown) {
    synchronized (scheduler) {
      if (failure == null) {
        failure = thrown;
      }
      scheduler.notifyAll();
    }
  }

  /** Upstream calls this before it reports the attempt's last counters, the engine once more. */
  @Override
  public void close() {
    if (follower != null) {
      follower.end();
    }
    if (remoteOutputs != null) {
      remoteOutputs.close();
    }
    scheduler.dropLevitated();
    if (!counted) {
      counted = true;
      CameFrom bytes = receiveBuffer.cameFrom();
      context.getReporter().incrCounter(MammothShuffleCounter.MEMORY_BYTES, bytes.memory());
      context.getReporter().incrCounter(MammothShuffleCounter.DISK_BYTES, bytes.disk());
      context.getReporter().incrCounter(MammothShuffleCounter.NETWORK_BYTES, bytes.network());
      count(MammothShuffleCounter.REDUCE_SPILLED_BYTES, receiveBuffer.spilledBytes());
      count(
          MammothShuffleCounter.REFETCHED_BYTES,
          (levitation == null ? 0 : levitation.refetchedBytes()) + receiveBuffer.refetchedBytes());
      NodeStreams streams = receiveBuffer.streams();
      if (streams != null) {
        count(MammothShuffleCounter.NODE_MERGED_BYTES, streams.mergedBytes());
        count(MammothShuffleCounter.NODE_MERGED_RECORDS, streams.mergedRecords());
        count(MammothShuffleCounter.SINGLE_SEGMENTS, streams.singleOutputs());
      }
    }
    try {
      receiveBuffer.release();
    } catch (IOException e) {
      LOG.warn("Freeing the inputs of {}", context.getReduceId(), e);
    }
    if (levitation != null) {
      levitation.close();
    }
  }

  /** A counter that would be 0 is not listed, as stock's are not. */
  private void count(MammothShuffleCounter counter, long bytes) {
    if (bytes > 0) {
      context.getReporter().incrCounter(counter, bytes);
    }
  }
}
