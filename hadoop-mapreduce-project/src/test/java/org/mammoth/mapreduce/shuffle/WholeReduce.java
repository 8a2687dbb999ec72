// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.AMFeedback;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapred.TaskUmbilical;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.Progress;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.mapreduce.MammothShuffleCounter;
import org.mammoth.mapreduce.buffers.AttemptFiles;
import org.mammoth.mapreduce.buffers.InputReads;
import org.mammoth.mapreduce.buffers.MapBuffers;
import org.mammoth.mapreduce.buffers.OwnCounters;
import org.mammoth.mapreduce.buffers.ReduceBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.buffers.TaskCache;
import org.mammoth.mapreduce.events.MapEvents;
import org.mammoth.mapreduce.transfer.EngineShuffle;

/** A reduce attempt in an engine of its own, from its first event to its last record. */
final class WholeReduce implements TaskBuffers, AutoCloseable {

  private static final int UNIT = 4 << 10;
  private static final Duration LATE = Duration.ofSeconds(30);
  private static final ThreadGroup ENGINE = Thread.currentThread().getThreadGroup();
  private static final String ATTEMPT = "attempt_7_0001_r_000001_0";

  private final OwnCounters counters = new OwnCounters();
  final List<String> reported = new CopyOnWriteArrayList<>();

  /** How many of the next questions for events fail. */
  final AtomicInteger failing = new AtomicInteger();

  /** How often it has said that it is alive. */
  final AtomicInteger alive = new AtomicInteger();

  final Counters.Counter shuffledMaps = new Counters.Counter();
  final Counters.Counter shuffledBytes = new Counters.Counter();
  private final List<TaskCompletionEvent> events = new ArrayList<>();
  private final Deque<Runnable> atEnd = new ArrayDeque<>();
  private final JobConf job;
  private final Path folder;
  private final LeakCheckingPool pool;
  private final CacheScheduler scheduler;
  private final ReduceMemory memory;
  private final IoScheduler io;
  private final AttemptFiles files;
  private final EngineShuffle engine;
  private final SendBuffer sendBuffer = new SendBuffer();
  private final List<CacheUnit> held = new ArrayList<>();
  private Supplier<String> way = () -> "";
  private int desires;
  private volatile long desired;
  private int lastDesire;
  private Runnable atLastDesire;
  private final TaskProcess process;
  private final MammothShuffle<Object, Object> shuffle = new MammothShuffle<>();

  WholeReduce(Path folder, JobConf job, int units) throws IOException {
    this(folder, job, units, TestNode.conf());
  }

  /** In an engine of a configuration of its own. */
  WholeReduce(Path folder, JobConf job, int units, Configuration conf) throws IOException {
    this.folder = Files.createDirectories(folder);
    // Upstream's fetchers start it, on a thread of the reduce, and nodes of this JVM share it.
    DefaultMetricsSystem.setMiniClusterMode(true);
    DefaultMetricsSystem.initialize("JobTracker");
    this.job = job;
    job.set("mapreduce.cluster.local.dir", folder.toString());
    job.setNumReduceTasks(TestNode.PARTITIONS);
    job.setMapOutputKeyClass(org.apache.hadoop.io.BytesWritable.class);
    job.setMapOutputValueClass(org.apache.hadoop.io.BytesWritable.class);
    pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, units);
    scheduler =
        new CacheScheduler(
            pool,
            new Ledger((long) UNIT * units),
            SchedulerSettings.of(new Configuration(false)),
            System::nanoTime);
    memory = scheduler.registerReduce(new LeaseOwner("ann", TestNode.JOB, ATTEMPT), 1);
    io =
        IoScheduler.builder(IoSettings.of(job, UNIT), List.of(folder))
            .threads(WholeReduce::ofTheEngine)
            .build();
    files = new AttemptFiles(io, ATTEMPT);
    engine = EngineShuffle.open(conf, sendBuffer, TestNode::open, TestNode::thread);
    engine.jobs().started(TestNode.JOB, TestNode.SECRET, List.of(folder.toString()));
    process = TaskProcess.builder("reduce").workDir(folder).listener(new Owner(this)).build();
  }

  /** A thread that is none of the task's, whoever first needs it. */
  private static Thread ofTheEngine(Runnable work) {
    Thread thread = new Thread(ENGINE, work, "engine");
    thread.setDaemon(true);
    return thread;
  }

  private record Owner(TaskBuffers buffers) implements TaskProcess.Listener, TaskBuffers.Holder {

    @Override
    public void onExit(int status, boolean halt) {}

    @Override
    public void onProcessNeeded(String what) {}

    @Override
    public void onUncaught(Thread thread, Throwable error) {}

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {}
  }

  /** Work on a thread of the task. */
  interface Work<T> {
    T run() throws Exception;
  }

  private <T> T onItsThread(Work<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work::run);
    Thread thread = new Thread(process.threads(), task, "reduce");
    thread.start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Something becomes of a map attempt. */
  void tell(String attempt, TaskCompletionEvent.Status status, TestNode node) {
    synchronized (events) {
      events.add(
          new TaskCompletionEvent(
              events.size(), TaskAttemptID.forName(attempt), 0, true, status, node.url()));
    }
  }

  private Object answer(String method, Object[] arguments) throws IOException {
    switch (method) {
      case "getMapCompletionEvents":
        if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          throw new IOException("the ApplicationMaster has no time");
        }
        synchronized (events) {
          int from = Math.min(events.size(), (Integer) arguments[1]);
          return new MapTaskCompletionEventsUpdate(
              events.subList(from, events.size()).toArray(new TaskCompletionEvent[0]), false);
        }
      case "statusUpdate":
        AMFeedback known = new AMFeedback();
        known.setTaskFound(true);
        return known;
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  private final class Status extends TaskStatus {

    @Override
    public boolean getIsMap() {
      return false;
    }

    @Override
    public void addFetchFailedMap(TaskAttemptID map) {
      reported.add(map.toString());
    }
  }

  private ShuffleConsumerPlugin.Context<Object, Object> context() throws IOException {
    TaskAttemptID id = TaskAttemptID.forName(ATTEMPT);
    ReduceTask task = new ReduceTask("", id, TestReduce.PARTITION, job.getNumMapTasks(), 1);
    task.setConf(job);
    task.setShuffleSecret(JobTokenSecretManager.createSecretKey(TestNode.SECRET));
    MROutputFiles names = new MROutputFiles();
    names.setConf(job);
    Reporter reporter =
        (Reporter)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Reporter.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("progress")) {
                    alive.incrementAndGet();
                  }
                  return method.getReturnType() == Counters.Counter.class
                      ? new Counters.Counter()
                      : null;
                });
    TaskUmbilicalProtocol umbilical =
        (TaskUmbilicalProtocol)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TaskUmbilicalProtocol.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
    Progress progress = new Progress();
    return new ShuffleConsumerPlugin.Context<>(
        id,
        job,
        FileSystem.getLocal(job),
        new TaskUmbilical(
            umbilical,
            new TaskUmbilical.Surroundings() {
              @Override
              public void correct(org.apache.hadoop.mapred.Counters counters) {}

              @Override
              public Map<Enum<?>, Long> ownCounters() {
                return counters.values();
              }

              @Override
              public void exit(int status) {
                throw new IllegalStateException("the reduce is ended with " + status);
              }
            },
            new MapEvents(job.getNumMapTasks(), System::nanoTime)),
        new LocalDirAllocator("mapreduce.cluster.local.dir"),
        reporter,
        null,
        null,
        null,
        new Counters.Counter(),
        new Counters.Counter(),
        shuffledMaps,
        shuffledBytes,
        new Counters.Counter(),
        new Counters.Counter(),
        new Status(),
        progress.addPhase("copy"),
        progress.addPhase("sort"),
        task,
        names,
        new HashMap<>());
  }

  /** Gets everything there; the merge stands before its first record. */
  RawKeyValueIterator begin() throws Exception {
    return onItsThread(
        () -> {
          shuffle.init(context());
          return shuffle.run();
        });
  }

  /** Has {@code action} run on the reduce's thread when it has got hold of {@code maps} outputs. */
  void whenItHas(int maps, Runnable action) {
    lastDesire = maps;
    atLastDesire = action;
  }

  /** The records of a merge, in any order; its progress is how much of them it has given. */
  List<String> records(RawKeyValueIterator merge, int most) throws Exception {
    return onItsThread(
        () -> {
          List<String> all = new ArrayList<>();
          List<Long> given = new ArrayList<>();
          List<Float> told = new ArrayList<>();
          long bytes = 0;
          boolean fromItsBegin = merge.getProgress().getProgress() == 0;
          while (all.size() < most && merge.next()) {
            byte[] key = copy(merge.getKey(), job.getUseNewReducer());
            byte[] value = copy(merge.getValue(), job.getUseNewReducer());
            all.add(new String(key, 4, key.length - 4) + " " + value.length);
            bytes += key.length + value.length;
            given.add(bytes);
            told.add(merge.getProgress().getProgress());
          }
          if (all.size() < most) {
            for (int i = 0; fromItsBegin && i < all.size(); i++) {
              assertThat(told.get(i)).isCloseTo((float) given.get(i) / bytes, within(0.01f));
            }
            assertThat(merge.getProgress().getProgress()).isEqualTo(1f);
          }
          return all;
        });
  }

  /** Keys and values of a merge, in their order, as text. */
  List<String> values(RawKeyValueIterator merge) throws Exception {
    return onItsThread(
        () -> {
          List<String> all = new ArrayList<>();
          while (merge.next()) {
            byte[] key = copy(merge.getKey(), job.getUseNewReducer());
            byte[] value = copy(merge.getValue(), job.getUseNewReducer());
            all.add(
                new String(key, 4, key.length - 4) + " " + new String(value, 4, value.length - 4));
          }
          return all;
        });
  }

  /** What upstream's readers of either interface take for a part of a record. */
  private static byte[] copy(DataInputBuffer bytes, boolean newInterface) throws IOException {
    int at = bytes.getPosition();
    DataInputBuffer stream = new DataInputBuffer();
    stream.reset(bytes.getData(), at, newInterface ? bytes.getLength() - at : bytes.getLength());
    return stream.readAllBytes();
  }

  /** What upstream does when the reduce has read all. */
  void end() throws Exception {
    onItsThread(
        () -> {
          shuffle.close();
          return null;
        });
  }

  long count(MammothShuffleCounter counter) {
    return counters.values().getOrDefault(counter, 0L);
  }

  /** Leaves {@code units} to the reduce. */
  void takeUnitsBut(int units) {
    for (CacheUnit unit = memory.receive().poll(); unit != null; unit = memory.receive().poll()) {
      held.add(unit);
    }
    for (int i = 0; i < units; i++) {
      memory.receive().give(held.remove(held.size() - 1));
    }
  }

  /** Bytes that the reduce has said it would like to have, the last time. */
  long desired() {
    return desired;
  }

  /** Units that the reduce has, without those that were taken from it. */
  int unitsInUse() {
    return pool.units() - pool.freeUnits() - held.size();
  }

  @Override
  public void merges(Supplier<String> told) {
    way = told;
  }

  /** How the reduce says that it gets hold of other nodes' output. */
  String way() {
    return way.get();
  }

  @Override
  public MapBuffers openMap(double weight) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ReduceBuffers openReduce(double weight) {
    return new ReduceBuffers(
        memory.receive(),
        bytes -> {
          memory.desire(bytes);
          desired = bytes;
          if (++desires == lastDesire) {
            atLastDesire.run();
          }
        });
  }

  @Override
  public void publish(MapOutput output) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void revocable(BufferKind kind, LongSupplier bytes, LongUnaryOperator revoke) {}

  @Override
  public AttemptFiles files() {
    return files;
  }

  @Override
  public InputReads input() {
    return null;
  }

  @Override
  public TaskCache dataCache() {
    return null;
  }

  @Override
  public OwnCounters counters() {
    return counters;
  }

  @Override
  public SendBuffer sendBuffer() {
    return sendBuffer;
  }

  @Override
  public EngineShuffle shuffle() {
    return engine;
  }

  @Override
  public void onEnd(Runnable action) {
    atEnd.push(action);
  }

  @Override
  public List<String> localDirs() {
    return List.of(folder.toString());
  }

  /**
   * What was under way to a block when the attempt ended gives it back when that has ended, on a
   * thread that is none of the attempt's. What never comes back, the pool tells of.
   */
  private void awaitLateUnits() {
    try {
      Awaitility.await().atMost(LATE).until(() -> pool.freeUnits() == pool.units());
    } catch (ConditionTimeoutException e) {
      // the pool says who has them
    }
  }

  /** Ends the attempt as an engine does; fails if it has left threads or memory behind. */
  @Override
  public void close() throws Exception {
    process.interruptAll();
    List<Thread> left = process.awaitTermination(Duration.ofSeconds(10));
    while (!atEnd.isEmpty()) {
      atEnd.pop().run();
    }
    engine.close();
    held.forEach(memory.receive()::give);
    memory.close();
    scheduler.endJob(TestNode.JOB);
    awaitLateUnits();
    pool.close();
    io.close();
    process.close();
    if (!left.isEmpty()) {
      throw new AssertionError("threads that do not end: " + left);
    }
  }
}
