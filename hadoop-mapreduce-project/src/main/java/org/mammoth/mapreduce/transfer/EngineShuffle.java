// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.levitated.RangeFetcher;
import org.mammoth.engine.levitated.node.NodeMerges;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputSegment;
import org.mammoth.engine.send.SegmentStream;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.endpoint.EndpointTls;
import org.mammoth.engine.shuffle.endpoint.ShuffleEndpoint;
import org.mammoth.engine.shuffle.server.OutputLengths;
import org.mammoth.engine.shuffle.server.SegmentLengths;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine's part in the shuffle between nodes: serves and pushes what its maps made, and fetches
 * what its reduces want. One per engine; any thread.
 */
public final class EngineShuffle implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineShuffle.class);

  private static final int THREADS = 4;

  /** Batches of ranges on their way from one node: one is read there while others travel. */
  private static final int BATCHES_PER_NODE = 4;

  /** Bytes of a batch, in windows of a stream. */
  private static final int BATCH_WINDOWS = 4;

  private final ServedJobs jobs;
  private final ShuffleEndpoint endpoint;
  private final NodeMerges merges;
  private final long nodePort;
  private final long windowBytes;
  private final long pauseMs;
  private final long stallMs;
  private final long busyMs;
  private final Map<String, PeerDirectory> peers = new ConcurrentHashMap<>();
  private final int port;
  private final RangeFetcher ranges;

  private EngineShuffle(
      Configuration conf, ServedJobs jobs, ShuffleEndpoint endpoint, NodeMerges merges, int port) {
    this.jobs = jobs;
    this.merges = merges;
    this.endpoint = endpoint;
    this.nodePort = ShuffleKeys.PORT.get(conf);
    this.windowBytes = ShuffleKeys.WINDOW_BYTES.get(conf);
    this.pauseMs = ShuffleKeys.RECONNECT_MIN_MS.get(conf);
    this.stallMs = ShuffleKeys.FETCH_TIMEOUT_MS.get(conf);
    this.busyMs = ShuffleKeys.BUSY_PATIENCE_MS.get(conf);
    this.port = port;
    this.ranges =
        new RangeFetcher(
            client()::fetchAll, scheduler(), BATCHES_PER_NODE, BATCH_WINDOWS * windowBytes);
  }

  /**
   * Opens it on a port of the system's choice.
   *
   * @param files opens files of map outputs that are no longer in memory
   * @return null where it cannot be opened, as without keys for TLS; all is fetched in the stock
   *     way then
   */
  public static EngineShuffle open(
      Configuration conf,
      SendBuffer sendBuffer,
      SegmentStream.FileOpener files,
      ThreadFactory threads) {
    return open(conf, sendBuffer, files, null, null, threads);
  }

  /**
   * Opens it on a port of the system's choice.
   *
   * @param files opens files of map outputs that are no longer in memory
   * @param ranges reads them without a thread that waits; null to open them by {@code files}
   * @param windows memory to merge outputs of the node in for reduces elsewhere; null for none
   * @return null where it cannot be opened, as without keys for TLS; all is fetched in the stock
   *     way then
   */
  public static EngineShuffle open(
      Configuration conf,
      SendBuffer sendBuffer,
      SegmentStream.FileOpener files,
      RangeReads ranges,
      InputWindows windows,
      ThreadFactory threads) {
    ServedJobs jobs = new ServedJobs();
    ShuffleEndpoint endpoint = null;
    try {
      endpoint = new ShuffleEndpoint(conf, EndpointTls.of(conf), jobs, threads, THREADS);
      NodeMerges source =
          new NodeMerges(
              new OutputSource(
                  sendBuffer, jobs, files, ranges, new JobConf(conf), LocalDirs.of(conf).all()),
              windows,
              ShuffleKeys.NODE_BUFFER_BYTES.get(conf),
              System::nanoTime);
      int port = endpoint.serve(0, source);
      return new EngineShuffle(conf, jobs, endpoint, source, port);
    } catch (IOException e) {
      LOG.warn("Map output of other nodes is fetched in the stock way: {}", e.getMessage());
      if (endpoint != null) {
        endpoint.close();
      }
      return null;
    }
  }

  /** Where it serves. */
  public int port() {
    return port;
  }

  /** The jobs it knows. */
  public ServedJobs jobs() {
    return jobs;
  }

  /** Fetches from other nodes. */
  public ShuffleClient client() {
    return endpoint.client();
  }

  /** Whether all that it sends and fetches passes the network under TLS. */
  public boolean isEncrypted() {
    return endpoint.tls().server() != null;
  }

  /** Lets connections to other nodes' stock shuffle trust whom the engine trusts. */
  public ConnectionConfigurator stockConnections() {
    ConnectionConfigurator tls = endpoint.tls().client();
    return tls == null ? connection -> connection : tls;
  }

  /** Fetches ranges of what stays at other nodes, for all reduces of the engine. */
  public RangeFetcher ranges() {
    return ranges;
  }

  /** What it merges of its own maps' outputs for other nodes. */
  public NodeMerges merges() {
    return merges;
  }

  /** Time, as the shuffle sees it. */
  public Scheduler scheduler() {
    return endpoint.scheduler();
  }

  /** Where other nodes' engines serve output of a job, shared by its reduces. */
  public PeerDirectory peers(String job) {
    return peers.computeIfAbsent(
        job,
        name ->
            new PeerDirectory(
                name,
                client(),
                scheduler(),
                stock -> EngineAddress.askedAt(nodePort, stock),
                new Peer.Patience(pauseMs, busyMs)));
  }

  /** Bytes of one stream that may be under way. */
  public long windowBytes() {
    return windowBytes;
  }

  /** Milliseconds before what failed is tried again. */
  public long pauseMs() {
    return pauseMs;
  }

  /** Milliseconds without a byte after which a stream counts as stuck. */
  public long stallMs() {
    return stallMs;
  }

  /** Milliseconds for which a busy node is asked again. */
  public long busyMs() {
    return busyMs;
  }

  /** Offers the output of a finished map to whoever subscribed. */
  public void published(MapOutput output) {
    try {
      endpoint
          .pusher()
          .published(
              output.job(), output.attempt(), new Lengths(output), OutputSegment.identity(output));
    } catch (IOException e) {
      LOG.warn("{} is not pushed, it can be fetched", output.attempt(), e);
    }
  }

  /** Ends the offers of an output that leaves the memory. */
  public void withdrawn(MapOutput output) {
    endpoint.pusher().withdrawn(output.job(), output.attempt());
  }

  /** Forgets a job that is over, and ends all that is under way for it. */
  public void jobEnded(String job) {
    jobs.forget(job);
    peers.remove(job);
    endpoint.jobFinished(job);
    merges.jobFinished(job);
  }

  @Override
  public void close() {
    endpoint.close();
  }

  private record Lengths(MapOutput output) implements OutputLengths {

    @Override
    public int partitions() {
      return output.partitions();
    }

    @Override
    public SegmentLengths inMemory() {
      return output.indexInMemory();
    }

    @Override
    public SegmentLengths read() throws IOException {
      return output.index();
    }
  }
}
