// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.mammoth.config.UnknownKeys;
import org.mammoth.console.alert.Alerts;
import org.mammoth.console.alert.EventLog;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.jobs.FallbackNotes;
import org.mammoth.console.jobs.JobArchivist;
import org.mammoth.console.jobs.JobPeaksReader;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.live.SteadyClock;
import org.mammoth.console.live.TaskSightings;
import org.mammoth.console.read.Addresses;
import org.mammoth.console.read.ClusterHttp;
import org.mammoth.console.read.ClusterWatch;
import org.mammoth.console.read.ContainerLogs;
import org.mammoth.console.read.FinishedJobs;
import org.mammoth.console.read.Negotiation;
import org.mammoth.console.store.DecisionStore;
import org.mammoth.console.store.EventStore;
import org.mammoth.console.store.History;
import org.mammoth.console.store.JobArchive;
import org.mammoth.console.web.ConsoleServer;
import org.mammoth.console.web.JobParts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole console: reads the cluster, keeps history, serves the page. */
public final class Console implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Console.class);
  private static final long MIB = 1L << 20;
  private static final int MAX_SIGHTINGS = 100_000;

  private final HttpClient client;
  private final History history;
  private final DecisionStore decisions;
  private final Recorder recorder;
  private final ClusterWatch watch;
  private final EventLog events;
  private final Alerts alerts;
  private final ConsoleServer server;
  private final ScheduledExecutorService ticker;
  private final JobParts jobs;
  private final ScheduledExecutorService archiver;
  private long slot;

  /**
   * Opens history and prepares to listen.
   *
   * @param conf with the cluster's site files
   * @param wall the host's clock, which may jump
   * @throws IllegalArgumentException if a key has a value it must not have
   */
  public Console(Configuration conf, Clock wall) throws Exception {
    SteadyClock clock = new SteadyClock(wall, System::nanoTime);
    // Refused before anything is written.
    UnknownKeys.tell(conf, LOG::warn);
    Path dir = directory(conf);
    client = client(conf);
    ClusterHttp http = new ClusterHttp(client, pseudoUser(conf));
    watch =
        new ClusterWatch(
            http,
            Addresses.of(conf),
            new ClusterWatch.Settings(
                ConsoleKeys.DEADLINE_MS.get(conf),
                ConsoleKeys.CONCURRENCY.get(conf).intValue(),
                1000 * ConsoleKeys.BACKOFF_MAX_SECONDS.get(conf),
                1000 * ConsoleKeys.DISCOVERY_SECONDS.get(conf),
                3000),
            clock);
    long seconds = Duration.ofHours(ConsoleKeys.SECONDS_HOURS.get(conf)).toMillis();
    long minutes = Duration.ofDays(ConsoleKeys.MINUTES_DAYS.get(conf)).toMillis();
    long bytes = ConsoleKeys.HISTORY_MAX_MB.get(conf) * MIB;
    history =
        new History(
            dir.resolve("history"),
            new History.Limits(seconds, minutes, bytes * 3 / 4),
            clock.millis());
    decisions = new DecisionStore(dir.resolve("decisions"), seconds, bytes / 4 - bytes / 16);
    recorder = new Recorder(watch, history, decisions, clock);
    events = new EventLog(new EventStore(dir.resolve("events"), minutes, bytes / 16), clock);
    alerts = new Alerts(conf, dir, events, clock, this::address);
    recorder.listen(alerts::second);
    jobs = jobs(conf, dir, clock);
    server =
        new ConsoleServer(
            conf,
            new ConsoleServer.Parts(
                recorder, watch, history, decisions, alerts, events, clock, version(), jobs),
            dir.resolve("audit.log"));
    archiver = timer("console-jobs");
    ticker = timer("console-second");
  }

  private static ScheduledExecutorService timer(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private JobParts jobs(Configuration conf, Path dir, Clock clock) throws IOException {
    long days = ConsoleKeys.JOBS_DAYS.get(conf);
    long deadlineMs = ConsoleKeys.DEADLINE_MS.get(conf);
    JobArchive archive =
        new JobArchive(
            dir.resolve("jobs"),
            Duration.ofDays(days).toMillis(),
            ConsoleKeys.JOBS_MAX_MB.get(conf) * MIB);
    TaskSightings sightings = new TaskSightings(MAX_SIGHTINGS);
    FallbackNotes fallbacks = new FallbackNotes();
    recorder.listen(sightings::see);
    recorder.listen(fallbacks::see);
    FinishedJobs finished =
        new FinishedJobs(
            watch.http(), watch.addresses(), watch::activeResourceManager, 5 * deadlineMs);
    JobArchivist archivist =
        new JobArchivist(
            finished,
            archive,
            new JobArchivist.Sources(sightings, fallbacks, new JobPeaksReader(history)),
            days,
            clock);
    ContainerLogs logs = new ContainerLogs(watch.http(), watch.addresses(), deadlineMs);
    return new JobParts(archive, archivist, finished, logs, sightings, days);
  }

  private static Path directory(Configuration conf) {
    String own = ConsoleKeys.DIRECTORY.get(conf);
    String tmp = conf.getTrimmed("hadoop.tmp.dir", System.getProperty("java.io.tmpdir"));
    return own.isEmpty() ? Path.of(tmp, "console") : Path.of(own);
  }

  private static HttpClient client(Configuration conf) throws IOException {
    HttpClient made = new HttpClient(new org.eclipse.jetty.util.ssl.SslContextFactory.Client());
    QueuedThreadPool threads = new QueuedThreadPool(8, 2);
    threads.setName("console-read");
    threads.setDaemon(true);
    made.setExecutor(threads);
    made.setMaxConnectionsPerDestination(2);
    made.setConnectTimeout(ConsoleKeys.DEADLINE_MS.get(conf));
    made.setIdleTimeout(30_000);
    made.setUserAgentField(null);
    Negotiation.install(made, conf);
    return made;
  }

  /** Hadoop's simple authentication wants a name where it does not let in the nameless. */
  private static String pseudoUser(Configuration conf) throws IOException {
    boolean simple = conf.getTrimmed("hadoop.http.authentication.type", "simple").equals("simple");
    boolean nameless = conf.getBoolean("hadoop.http.authentication.simple.anonymous.allowed", true);
    return simple && !nameless ? UserGroupInformation.getLoginUser().getShortUserName() : "";
  }

  private static String version() {
    String version = Console.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** Begins to read and to listen. */
  public void start() throws Exception {
    client.start();
    server.start();
    alerts.start();
    long period = 1_000_000_000L / ClusterWatch.SLOTS;
    ticker.scheduleAtFixedRate(
        new Tireless("A second of the console", this::tick, Console::end),
        0,
        period,
        TimeUnit.NANOSECONDS);
    archiver.scheduleWithFixedDelay(
        new Tireless("A second of the archive of jobs", this::archive, Console::end),
        1,
        1,
        TimeUnit.SECONDS);
  }

  private static void end(Error error) {
    try {
      LOG.error("The console ends", error);
    } finally {
      // Not exit: what is to be done at an end needs what is used up.
      Runtime.getRuntime().halt(1);
    }
  }

  private void tick() {
    watch.step(slot++);
    if (slot % ClusterWatch.SLOTS == 0) {
      recorder.second();
    }
  }

  private void archive() {
    jobs.archivist().step(recorder.moment().view().jobs());
  }

  public String address() {
    return server.address();
  }

  /** Where an administrator's session begins; good for one session. */
  public String loginAddress() {
    return server.loginAddress();
  }

  /** Where the present {@link #loginAddress} is found. */
  public Path loginFile() {
    return server.loginFile();
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() throws Exception {
    ticker.shutdown();
    archiver.shutdown();
    ticker.awaitTermination(5, TimeUnit.SECONDS);
    archiver.awaitTermination(5, TimeUnit.SECONDS);
    server.close();
    alerts.close();
    client.stop();
    history.close();
    decisions.close();
    events.close();
    jobs.archive().close();
  }
}
