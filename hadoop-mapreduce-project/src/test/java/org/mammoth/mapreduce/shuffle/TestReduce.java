// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.awaitility.Awaitility;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.levitated.MergeChoice;
import org.mammoth.engine.levitated.RangeFetcher;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.shuffle.FetchException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.mammoth.mapreduce.buffers.AttemptFiles;
import org.mammoth.mapreduce.sort.SegmentFormat;
import org.mammoth.mapreduce.transfer.EngineShuffle;
import org.mammoth.mapreduce.transfer.PeerDirectory;

/** A reduce in an engine of its own, as far as its shuffle goes; the test is its thread. */
final class TestReduce implements RemoteOutputs.Reduce, AutoCloseable {

  static final int PARTITION = 1;

  static final int UNIT = 4 << 10;
  private static final String ATTEMPT = "attempt_7_0001_r_000001_0";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final Map<String, Arrival> arrived = new LinkedHashMap<>();
  final Map<String, LevitatedOutput> levitated = new LinkedHashMap<>();
  final LongAdder spilled = new LongAdder();
  final Levitation levitation;
  final List<String> stock = new ArrayList<>();

  /** How many of the next questions for ranges are told that the node is busy. */
  final AtomicInteger busyAnswers = new AtomicInteger();

  /** Whether its node has no place for files. */
  volatile boolean diskFull;

  private final List<CacheUnit> held = new ArrayList<>();
  final RemoteOutputs outputs;
  private final SegmentFormat format;
  private final Path folder;
  private final LeakCheckingPool pool;
  private final CacheScheduler scheduler;
  private final ReduceMemory memory;
  private final SmallSegments small;
  private final EngineShuffle engine;
  private final IoScheduler io;
  private final Semaphore wake = new Semaphore(0);
  private final Inbox inbox = new Inbox(wake::release);
  private Thread follower;
  private volatile boolean closed;
  private int files;
  private int events;

  /**
   * A reduce in a new engine.
   *
   * @param units of memory
   * @param silenceMs after which its engine counts a stream as stuck
   */
  TestReduce(Path folder, JobConf job, int units, int silenceMs) throws IOException {
    this(folder, job, units, silence(silenceMs), hint -> {}, MergeMode.PUSH, 0);
  }

  /**
   * A reduce in a new engine.
   *
   * @param block bytes of a block of what stays at its source
   */
  TestReduce(Path folder, JobConf job, int units, int silenceMs, MergeMode mode, int block)
      throws IOException {
    this(folder, job, units, silence(silenceMs), hint -> {}, mode, block);
  }

  /** A reduce in a new engine with a configuration of its own; all stays at its source. */
  TestReduce(Path folder, JobConf job, int units, Configuration conf, int block)
      throws IOException {
    this(folder, job, units, conf, hint -> {}, MergeMode.LEVITATED, block);
  }

  /**
   * A reduce in a new engine.
   *
   * @param units of memory
   * @param conf of its engine
   * @param hint told of attempts that are offered before they are named
   */
  TestReduce(Path folder, JobConf job, int units, Configuration conf, Consumer<String> hint)
      throws IOException {
    this(folder, job, units, conf, hint, MergeMode.PUSH, 0);
  }

  private static Configuration silence(int silenceMs) {
    Configuration conf = TestNode.conf();
    conf.setInt("mammoth.shuffle.fetch.timeout-ms", silenceMs);
    return conf;
  }

  private TestReduce(
      Path folder,
      JobConf job,
      int units,
      Configuration conf,
      Consumer<String> hint,
      MergeMode mode,
      int block)
      throws IOException {
    this.folder = Files.createDirectories(folder);
    format = new SegmentFormat(job);
    pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, units);
    scheduler =
        new CacheScheduler(
            pool,
            new Ledger((long) UNIT * units),
            SchedulerSettings.of(new Configuration(false)),
            System::nanoTime);
    memory = scheduler.registerReduce(new LeaseOwner("ann", TestNode.JOB, ATTEMPT), 1);
    small = new SmallSegments(memory.receive());
    io =
        IoScheduler.builder(IoSettings.of(job, UNIT), List.of(this.folder))
            .threads(TestNode::thread)
            .build();
    engine = EngineShuffle.open(conf, new SendBuffer(), TestNode::open, TestNode::thread);
    engine.jobs().started(TestNode.JOB, TestNode.SECRET, List.of(folder.toString()));
    FetchedOutput.Sink sink =
        new FetchedOutput.Sink() {
          @Override
          public void fetched(ReduceInput input) {
            throw new UnsupportedOperationException();
          }

          @Override
          public org.apache.hadoop.fs.Path newFile(
              org.apache.hadoop.mapreduce.TaskAttemptID map, long size) throws IOException {
            if (diskFull) {
              throw new DiskErrorException("no space for " + size + " bytes of " + map);
            }
            return new org.apache.hadoop.fs.Path(folder + "/in-" + files++);
          }
        };
    RemoteLink link =
        new RemoteLink(
            TestNode.JOB,
            PARTITION,
            ATTEMPT,
            engine.client(),
            engine.scheduler(),
            engine.peers(TestNode.JOB),
            hint,
            inbox,
            new RemoteLink.Options(
                mode.pushes(),
                2,
                engine.windowBytes(),
                engine.pauseMs(),
                engine.stallMs(),
                engine.busyMs()));
    ReceiveStore store =
        new ReceiveStore(
            memory.receive(),
            small,
            FileSystem.getLocal(job).getRaw(),
            new AttemptFiles(io, ATTEMPT),
            sink,
            format,
            spilled);
    BlockSpace blocks = new BlockSpace(memory.receive(), Math.max(1, block));
    if (mode == MergeMode.VIRTUAL || mode == MergeMode.NODE) {
      blocks.close();
    }
    levitation =
        mode.levitates()
            ? new Levitation(
                link,
                new RangeFetcher(this::fetchAll, engine.scheduler(), 4, 4 * engine.windowBytes()),
                store,
                blocks,
                new Rescue(
                    new StockSegment(
                        org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager
                            .createSecretKey(TestNode.SECRET),
                        engine.stockConnections(),
                        store,
                        engine.stallMs()),
                    store,
                    link))
            : null;
    outputs =
        new RemoteOutputs(
            link,
            store,
            this,
            levitation,
            new MergeChoice(mode, job.getNumMapTasks(), memory.receive()::roomBytes));
  }

  /** As the engine does, but for nodes that are busy. */
  private List<Fetch> fetchAll(
      InetSocketAddress node, List<FetchRequest> requests, List<FetchSink> sinks) {
    if (busyAnswers.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      return engine.client().fetchAll(node, requests, sinks);
    }
    return requests.stream()
        .map(
            request ->
                (Fetch)
                    new Refused(
                        CompletableFuture.failedFuture(
                            new FetchException(
                                new ShuffleException(Reason.BUSY, "it has no connection to spare"),
                                node,
                                request.key(),
                                request.offset()))))
        .toList();
  }

  private record Refused(CompletableFuture<SegmentInfo> future) implements Fetch {

    @Override
    public long verifiedOffset() {
      return 0;
    }

    @Override
    public void credit(long bytes) {}

    @Override
    public void cancel() {}
  }

  @Override
  public void arrived(TaskCompletionEvent event, Arrival arrival) {
    if (arrived.put(arrival.name(), arrival) != null) {
      throw new IllegalStateException(arrival.name() + " arrived twice");
    }
  }

  @Override
  public void levitated(TaskCompletionEvent event, LevitatedOutput output) {
    if (levitated.put(output.name(), output) != null) {
      throw new IllegalStateException(output.name() + " arrived twice");
    }
  }

  @Override
  public boolean dropped(org.apache.hadoop.mapreduce.TaskAttemptID id) {
    LevitatedOutput output = levitated.remove(id.toString());
    try {
      if (output != null) {
        output.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return output != null;
  }

  @Override
  public void leaveToStock(TaskCompletionEvent event) {
    stock.add(event.getTaskAttemptId().toString());
  }

  @Override
  public void failed(IOException failure) {
    throw new IllegalStateException(failure);
  }

  UnitSource units() {
    return memory.receive();
  }

  /** An event of the ApplicationMaster. */
  void succeeded(String attempt, TestNode node) {
    succeeded(
        new TaskCompletionEvent(
            events++,
            TaskAttemptID.forName(attempt),
            0,
            true,
            TaskCompletionEvent.Status.SUCCEEDED,
            node.url()));
  }

  /** An event of the ApplicationMaster. */
  void succeeded(TaskCompletionEvent event) {
    if (!outputs.succeeded(event)) {
      stock.add(event.getTaskAttemptId().toString());
    }
  }

  void lost(String attempt) {
    outputs.lost(TaskAttemptID.forName(attempt));
  }

  /** Works as the reduce's thread does until something is true. */
  void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    inbox.runAll();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "not within " + PATIENCE + "; arrived " + arrived.keySet() + ", stock " + stock);
      }
      wake.tryAcquire(5, TimeUnit.MILLISECONDS);
      inbox.runAll();
    }
  }

  /** Does what there is to do now, or waits for it, for 5 ms at most. */
  void work() throws InterruptedException {
    wake.tryAcquire(5, TimeUnit.MILLISECONDS);
    wake.drainPermits();
    inbox.runAll();
  }

  /** Nodes that its engine keeps connections to. */
  PeerDirectory peers() {
    return engine.peers(TestNode.JOB);
  }

  /** Works for a while, in which something would happen that must not. */
  void idle() throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
    await(() -> System.nanoTime() > end);
  }

  /** How far what has come of an attempt is; null if nothing is known of it. */
  Arrival.State stateOf(String attempt) {
    Arrival arrival = outputs.find(attempt);
    return arrival == null ? null : arrival.state();
  }

  /** The records that arrived, as the merge would read them. */
  byte[] records(String attempt) throws IOException {
    return readAll(input(attempt).open());
  }

  private ReduceInput input(String attempt) {
    ReduceInput here = arrived.get(attempt);
    return here == null ? levitated.get(attempt) : here;
  }

  /** Opens inputs and has what is at its source sent for; {@link #follow} must be called. */
  Map<String, SegmentInput> openAll() throws IOException {
    Map<String, SegmentInput> all = new LinkedHashMap<>();
    for (String attempt : levitated.keySet()) {
      all.put(attempt, levitated.get(attempt).open());
    }
    levitation.begin();
    return all;
  }

  /** Has another thread work as the reduce's until the reduce is closed. */
  void follow() {
    follower =
        TestNode.thread(
            () -> {
              while (!closed) {
                inbox.runAll();
                try {
                  wake.tryAcquire(5, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                  return;
                }
              }
            });
    follower.start();
  }

  /** The same records as they are on the node's disk. */
  byte[] expected(MapOutput output) throws IOException {
    InputStream file =
        TestNode.open(output.file(), output.index().start(PARTITION), Long.MAX_VALUE);
    return readAll(
        format.decode(new FilterInputStream(file) {}, output.index().partLength(PARTITION)));
  }

  static byte[] readAll(SegmentInput input) throws IOException {
    try (input) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] buffer = new byte[1000];
      for (int read = input.read(buffer, 0, buffer.length);
          read >= 0;
          read = input.read(buffer, 0, buffer.length)) {
        all.write(buffer, 0, read);
      }
      return all.toByteArray();
    }
  }

  /** Leaves no unit to whoever asks, until the reduce ends. */
  void takeAllUnits() {
    for (CacheUnit unit = memory.receive().poll(); unit != null; unit = memory.receive().poll()) {
      held.add(unit);
    }
  }

  int usedUnits() {
    return pool.units() - pool.freeUnits();
  }

  /** Ends the reduce; fails if it has left memory or files behind. */
  @Override
  public void close() throws IOException {
    closed = true;
    outputs.close();
    if (follower != null) {
      try {
        follower.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    for (LevitatedOutput output : levitated.values()) {
      output.close();
    }
    if (levitation != null) {
      levitation.close();
    }
    for (Arrival arrival : arrived.values()) {
      arrival.close();
    }
    small.seal();
    held.forEach(memory.receive()::give);
    engine.close();
    // What was on its way comes to its end on other threads.
    Awaitility.await("units that were left behind")
        .atMost(Duration.ofSeconds(10))
        .until(() -> usedUnits() == 0);
    memory.close();
    scheduler.endJob(TestNode.JOB);
    pool.close();
    Awaitility.await("files that were left behind")
        .atMost(Duration.ofSeconds(10))
        .until(this::leftBehind, List::isEmpty);
    io.close();
  }

  private List<Path> leftBehind() throws IOException {
    try (var left = Files.list(folder)) {
      return left.filter(path -> !path.toString().endsWith(".crc")).toList();
    }
  }
}
