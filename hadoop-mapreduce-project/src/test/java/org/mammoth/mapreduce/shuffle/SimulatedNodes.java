// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import io.netty.channel.nio.NioEventLoopGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.server.Pusher;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentLengths;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;
import org.mammoth.mapreduce.transfer.EngineAddress;

/**
 * Many nodes of one process, each with a real shuffle server on an address of its own (127.1.x.y),
 * which is its NodeManager and its engine in one. Their maps' output is generated: the segment of a
 * map is the same for all partitions, and one of a few.
 */
final class SimulatedNodes implements AutoCloseable {

  /** Between the port of a node's stock shuffle, which nobody opens here, and the one asked. */
  private static final int DISTANCE = 2;

  private static final int VARIANTS = 16;
  private static final int RECORDS = 8;

  private final int partitions;
  private final List<byte[]> segments = new ArrayList<>();
  private final List<Long> rawLengths = new ArrayList<>();
  private final NioEventLoopGroup loops = new NioEventLoopGroup(2);
  private final ExecutorService readers = Executors.newFixedThreadPool(2);
  private final List<ShuffleServer> servers = new ArrayList<>();
  private final List<Pusher> pushers = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();

  SimulatedNodes(int nodes, int partitions, JobConf job, Configuration conf) throws IOException {
    this.partitions = partitions;
    for (int variant = 0; variant < VARIANTS; variant++) {
      generate(variant, job);
    }
    for (int node = 0; node < nodes; node++) {
      open(node, conf);
    }
  }

  private void generate(int variant, JobConf job) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    IFile.Writer<BytesWritable, BytesWritable> writer =
        new IFile.Writer<>(
            job,
            new FSDataOutputStream(bytes, null),
            BytesWritable.class,
            BytesWritable.class,
            null,
            null);
    for (int i = 0; i < RECORDS; i++) {
      writer.append(
          new BytesWritable((variant + " key " + i).getBytes()), new BytesWritable(new byte[i]));
    }
    writer.close();
    segments.add(bytes.toByteArray());
    rawLengths.add(writer.getRawLength());
  }

  private void open(int node, Configuration shared) throws IOException {
    Configuration conf = new Configuration(shared);
    conf.set("mammoth.shuffle.bind-host", "127.1." + node / 250 + "." + (node % 250 + 1));
    Pusher pusher = new Pusher();
    InetSocketAddress[] own = new InetSocketAddress[1];
    ShuffleServer server =
        new ShuffleServer(
            ServerSettings.from(conf),
            job -> TestNode.SECRET,
            (job, attempt, partition) ->
                attempt.equals(EngineAddress.NAME)
                    ? new Bytes(EngineAddress.answer(own[0].getPort()), 0, 1)
                    : new Bytes(bytes(map(attempt)), rawLength(map(attempt)), 1),
            pusher,
            () -> null,
            loops,
            Readers.of(readers),
            System::nanoTime);
    own[0] = server.start();
    servers.add(server);
    pushers.add(pusher);
    addresses.add(own[0]);
  }

  /** Which map an attempt is of. */
  static int map(String attempt) {
    return Integer.parseInt(attempt.split("_")[4]);
  }

  static String attempt(int map) {
    return String.format("attempt_7_0001_m_%06d_0", map);
  }

  /** What each reduce gets of a map. */
  byte[] bytes(int map) {
    return segments.get(map % VARIANTS);
  }

  private long rawLength(int map) {
    return rawLengths.get(map % VARIANTS);
  }

  /** What completion events say of the node on which a map ran. */
  String url(int map) {
    InetSocketAddress address = address(map);
    return "http://" + address.getHostString() + ":" + (address.getPort() - DISTANCE);
  }

  /** Where the node on which a map ran serves. */
  InetSocketAddress address(int map) {
    return addresses.get(map % addresses.size());
  }

  /** A map has finished: its output is offered to whoever has subscribed or will. */
  void finish(int map) {
    long part = bytes(map).length;
    long raw = rawLength(map);
    pushers
        .get(map % pushers.size())
        .published(
            TestNode.JOB,
            attempt(map),
            new SegmentLengths() {
              @Override
              public int partitions() {
                return partitions;
              }

              @Override
              public long rawLength(int partition) {
                return raw;
              }

              @Override
              public long partLength(int partition) {
                return part;
              }
            },
            1);
  }

  /** Connections of the node that has the most. */
  int mostConnections() {
    return servers.stream().mapToInt(ShuffleServer::connections).max().orElse(0);
  }

  @Override
  public void close() throws InterruptedException {
    servers.forEach(ShuffleServer::close);
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
    readers.shutdownNow();
  }

  /** A segment in memory. */
  private record Bytes(byte[] bytes, long rawLength, long identity) implements Segment {

    @Override
    public long partLength() {
      return bytes.length;
    }

    @Override
    public int flags() {
      return SegmentInfo.IN_MEMORY;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      int length = (int) Math.min(into.remaining(), bytes.length - offset);
      into.put(bytes, (int) offset, length);
    }

    @Override
    public void close() {
      // nothing is held
    }
  }
}
