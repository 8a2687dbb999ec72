// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.mammoth.console.model.CacheMasterSample;
import org.mammoth.console.model.Decision;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;

/**
 * Reads the whole cluster: finds its nodes, reads each once a second with a deadline and a pause
 * that doubles after each failure, no more than so many at the same time. {@link #step} drives it;
 * it has no thread of its own.
 */
public final class ClusterWatch {

  /** How many groups a second's readings are spread over. */
  public static final int SLOTS = 20;

  /** The error of a master as long as nobody has asked it. */
  public static final String NOT_ASKED = "not asked yet";

  /** What a master of the cache said that long ago is nothing to go by. */
  private static final long CACHE_MASTER_MS = 30_000;

  private static final int MASTER_BYTES = 32 << 20;

  /** How the cluster is read. */
  public record Settings(
      long deadlineMs, int concurrency, long maxBackoffMs, long discoveryMs, long jobsMs) {}

  private final ClusterHttp http;
  private final Addresses addresses;
  private final Settings settings;
  private final Clock clock;
  private final Discovery discovery;
  private final NodeReader reader;
  private final JobReader jobReader;
  private final CacheAdapter caches = new CacheAdapter();
  private final EndedJobs endedJobs = new EndedJobs();
  private final AtomicBoolean askingForEnded = new AtomicBoolean();

  private final Map<String, NodeTrack> tracks = new ConcurrentHashMap<>();
  private final Map<String, String> masters = new ConcurrentHashMap<>();
  private final Object lock = new Object();
  private final Queue<NodeTrack> waiting = new ArrayDeque<>();
  private int inFlight;
  private volatile List<Discovery.Found> nodeManagers = List.of();
  private volatile List<Discovery.Found> dataNodes = List.of();
  private volatile boolean dataNodesTold;
  private volatile List<JobSample> jobs = List.of();
  private volatile CacheMasterSample cacheMaster;
  private volatile String activeResourceManager;
  private long nextDiscoveryMs;
  private long nextJobsMs;

  /** Watches the cluster behind these addresses. */
  public ClusterWatch(ClusterHttp http, Addresses addresses, Settings settings, Clock clock) {
    this.http = http;
    this.addresses = addresses;
    this.settings = settings;
    this.clock = clock;
    this.discovery = new Discovery(http, addresses, 5 * settings.deadlineMs());
    this.reader = new NodeReader(http, settings.deadlineMs());
    this.jobReader =
        new JobReader(http, addresses, this::activeResourceManager, 5 * settings.deadlineMs());
    this.activeResourceManager = addresses.resourceManagers().get(0);
    addresses.resourceManagers().forEach(origin -> masters.put(origin, NOT_ASKED));
    addresses.nameNodes().forEach(origin -> masters.put(origin, NOT_ASKED));
  }

  public JobReader jobReader() {
    return jobReader;
  }

  /** What the masters tell when they are asked. */
  public MasterReader masterReader() {
    return new MasterReader(
        http, addresses, this::activeResourceManager, 5 * settings.deadlineMs());
  }

  public Addresses addresses() {
    return addresses;
  }

  /** The ResourceManager that is active, as of the last discovery. */
  public String activeResourceManager() {
    return activeResourceManager;
  }

  /** GETs to this cluster. */
  public ClusterHttp http() {
    return http;
  }

  /**
   * Starts what is due. Called {@link #SLOTS} times a second.
   *
   * @param slot counts the calls; each node belongs to one of the second's slots
   */
  public void step(long slot) {
    long now = clock.millis();
    if (now >= nextDiscoveryMs) {
      // What has not answered since the start, or has no DataNode yet, is asked again soon: it may
      // be starting itself.
      boolean soon = masters.containsValue(NOT_ASKED) || dataNodesTold && dataNodes.isEmpty();
      nextDiscoveryMs = now + (soon ? 1000 : settings.discoveryMs());
      discover();
    }
    if (now >= nextJobsMs) {
      nextJobsMs = now + settings.jobsMs();
      readJobs(now);
      readCacheMaster(now);
    }
    for (NodeTrack track : tracks.values()) {
      int home = Math.floorMod(track.found().id().hashCode(), SLOTS);
      if (home == Math.floorMod(slot, SLOTS) && track.begin(now)) {
        submit(track);
      }
    }
  }

  private void submit(NodeTrack track) {
    synchronized (lock) {
      if (inFlight >= settings.concurrency()) {
        waiting.add(track);
        return;
      }
      inFlight++;
    }
    start(track);
  }

  private void start(NodeTrack track) {
    Answers.hear(
        reader.read(track.found(), track.cursor(), track.rates(), clock.millis()),
        "a node",
        (reading, failure) -> {
          try {
            take(track, reading, failure);
          } finally {
            next();
          }
        });
  }

  private void take(NodeTrack track, NodeReader.Reading reading, Throwable failure) {
    if (failure != null) {
      track.fail(clock.millis(), failure, null);
    } else if (reading.failure() != null) {
      track.fail(clock.millis(), reading.failure(), reading.slave());
    } else {
      track.finish(reading.engines(), reading.slave(), reading.decisions());
    }
  }

  private void next() {
    NodeTrack track;
    synchronized (lock) {
      track = waiting.poll();
      if (track == null) {
        inFlight--;
        return;
      }
    }
    start(track);
  }

  private void discover() {
    Answers.take(discovery.resourceManagers(), "NodeManagers", this::takeNodeManagers);
    Answers.take(discovery.nameNodes(), "DataNodes", this::takeDataNodes);
  }

  private void takeNodeManagers(List<Discovery.Answer> answers) {
    List<Discovery.Found> found = note(answers, nodeManagers);
    answers.stream()
        .filter(answer -> answer.nodes() != null)
        .findFirst()
        .ifPresent(answer -> activeResourceManager = answer.origin());
    nodeManagers = found;
    apply();
  }

  private void takeDataNodes(List<Discovery.Answer> answers) {
    dataNodes = note(answers, dataNodes);
    dataNodesTold |= answers.stream().anyMatch(answer -> answer.nodes() != null);
    apply();
  }

  /** The nodes that were named; those of before if no master answers. */
  private List<Discovery.Found> note(List<Discovery.Answer> answers, List<Discovery.Found> before) {
    Map<String, Discovery.Found> found = new LinkedHashMap<>();
    boolean any = false;
    boolean none = answers.stream().noneMatch(answer -> answer.nodes() != null);
    for (Discovery.Answer answer : answers) {
      // One that stands by is no problem, unless none is active.
      masters.put(
          answer.origin(),
          none && answer.standsBy() ? "it stands by, and no other is active" : answer.error());
      if (answer.nodes() != null) {
        any = true;
        answer.nodes().forEach(node -> found.putIfAbsent(node.id(), node));
      }
    }
    return any ? List.copyOf(found.values()) : before;
  }

  private synchronized void apply() {
    Map<String, Discovery.Found> merged = Discovery.merge(nodeManagers, dataNodes);
    Set<String> named = new HashSet<>();
    for (Discovery.Found node : merged.values()) {
      named.addAll(origins(node));
      tracks
          .computeIfAbsent(node.id(), id -> new NodeTrack(node, settings.maxBackoffMs()))
          .found(node);
    }
    // A master that runs on a node's address stays admitted.
    named.addAll(addresses.resourceManagers());
    named.addAll(addresses.nameNodes());
    tracks
        .entrySet()
        .removeIf(
            entry -> {
              boolean goes = !merged.containsKey(entry.getKey());
              if (goes) {
                // What is named by another id now, as the DataNode of a node that is lost, stays.
                origins(entry.getValue().found()).stream()
                    .filter(origin -> !named.contains(origin))
                    .forEach(http::dismiss);
              }
              return goes;
            });
    named.forEach(http::admit);
  }

  private static List<String> origins(Discovery.Found node) {
    return Stream.of(node.nodeManager(), node.dataNode()).filter(Objects::nonNull).toList();
  }

  private void readJobs(long now) {
    Answers.take(
        jobReader.jobs(activeResourceManager, now),
        "jobs",
        list -> {
          jobs = endedJobs.with(list);
          readEndedJobs(list);
        });
  }

  private void readEndedJobs(List<JobSample> list) {
    long since = endedJobs.since(list);
    if (since < 0 || !askingForEnded.compareAndSet(false, true)) {
      return;
    }
    Answers.hear(
        jobReader.ended(since),
        "ended jobs",
        (answer, failure) -> {
          // First: an answer that cannot be taken must not be the last one asked for.
          askingForEnded.set(false);
          if (failure == null) {
            endedJobs.take(answer, list);
            jobs = endedJobs.with(jobs);
          }
        });
  }

  private void readCacheMaster(long now) {
    for (String nameNode : addresses.nameNodes()) {
      Answers.take(
          http.getJson(nameNode, CacheAdapter.MASTER_PATH, settings.deadlineMs(), MASTER_BYTES),
          "the cache's master",
          json -> {
            CacheMasterSample sample = caches.master(json, now);
            if (sample != null) {
              cacheMaster = sample;
            }
          });
    }
  }

  /** The cluster now. */
  public ClusterView view() {
    Map<String, NodeState> nodes = new TreeMap<>();
    boolean told = dataNodesTold;
    tracks.forEach((id, track) -> nodes.put(id, track.state(told)));
    long now = clock.millis();
    CacheMasterSample master = cacheMaster;
    boolean old = master != null && now - master.timeMs() > CACHE_MASTER_MS;
    return new ClusterView(now, new TreeMap<>(masters), nodes, jobs, old ? null : master);
  }

  /** Decisions that were not there at the last call, by node. */
  public Map<String, List<Decision>> takeDecisions() {
    Map<String, List<Decision>> fresh = new LinkedHashMap<>();
    for (Map.Entry<String, NodeTrack> track : tracks.entrySet()) {
      List<Decision> decisions = track.getValue().takeFresh();
      if (!decisions.isEmpty()) {
        fresh.put(track.getKey(), new ArrayList<>(decisions));
      }
    }
    return fresh;
  }
}
