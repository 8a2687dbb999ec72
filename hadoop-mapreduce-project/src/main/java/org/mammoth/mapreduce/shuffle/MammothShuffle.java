package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
  private ShuffleClientMetrics metrics;
  private final List<Fetcher<K, V>> fetchers = new ArrayList<>();
  private int nextEvent;
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
    if (buffers.shuffle() != null) {
      remoteOutputs = new RemoteOutputs(link(buffers.shuffle()), receiveBuffer.store(), scheduler);
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
            ShuffleKeys.PUSH.get(job),
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
      resolveEvents(events);
      while (!scheduler.waitUntilDone((int) mapEvents.pauseMs())) {
        context.getReporter().progress();
        throwFailure();
        resolveEvents(events);
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
    return receiveBuffer.close();
  }

  /**
   * Has the maps run again whose outputs on this node turned out to be damaged; the attempt ends
   * all the same. The ApplicationMaster acts on three reports of a map, and counts them one by one.
   */
  private void reportDamaged() {
    for (String map : receiveBuffer.damaged()) {
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

  private void resolveEvents(int most) throws IOException {
    TaskCompletionEvent[] events;
    do {
      MapTaskCompletionEventsUpdate update = mapEvents.next(nextEvent, most);
      events = update.getMapTaskCompletionEvents();
      nextEvent = events.length + (update.shouldReset() ? 0 : nextEvent);
      for (TaskCompletionEvent event : events) {
        scheduler.resolve(event);
      }
    } while (events.length == most);
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
    if (remoteOutputs != null) {
      remoteOutputs.close();
    }
    if (!counted) {
      counted = true;
      CameFrom bytes = receiveBuffer.cameFrom();
      context.getReporter().incrCounter(MammothShuffleCounter.MEMORY_BYTES, bytes.memory());
      context.getReporter().incrCounter(MammothShuffleCounter.DISK_BYTES, bytes.disk());
      context.getReporter().incrCounter(MammothShuffleCounter.NETWORK_BYTES, bytes.network());
    }
    try {
      receiveBuffer.release();
    } catch (IOException e) {
      LOG.warn("Freeing the inputs of {}", context.getReduceId(), e);
    }
  }
}
