// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.endpoint.EndpointTls;
import org.mammoth.engine.shuffle.endpoint.ShuffleEndpoint;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;

/** A node is looked up by those who may wait for a name server, and by nobody else. */
class PeerTest {

  private static final String JOB = "job_1_0001";
  private static final String HOST = "node7.invalid";
  private static final int ENGINE_PORT = 4711;
  private static final int BUSY = 3;

  private final AtomicInteger asked = new AtomicInteger();
  private final List<Thread> lookedUpBy = new CopyOnWriteArrayList<>();
  private ShuffleEndpoint endpoint;
  private int port;

  private record Answer(byte[] bytes) implements Segment {

    @Override
    public long rawLength() {
      return bytes.length;
    }

    @Override
    public long partLength() {
      return bytes.length;
    }

    @Override
    public long identity() {
      return 0;
    }

    @Override
    public int flags() {
      return 0;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      into.put(bytes, (int) offset, (int) Math.min(into.remaining(), bytes.length - offset));
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("mammoth.shuffle.bind-host", "127.0.0.1");
    ServedJobs jobs = new ServedJobs();
    jobs.started(JOB, "secret".getBytes(StandardCharsets.UTF_8), List.of());
    endpoint =
        new ShuffleEndpoint(
            conf,
            EndpointTls.of(conf),
            jobs,
            work -> {
              Thread thread = new Thread(work);
              thread.setDaemon(true);
              return thread;
            },
            1);
    port = endpoint.serve(0, (job, attempt, partition) -> answer());
  }

  private Segment answer() throws IOException {
    if (asked.incrementAndGet() <= BUSY) {
      throw new SegmentUnavailableException(Reason.BUSY, "the test has no time");
    }
    return new Answer(EngineAddress.answer(ENGINE_PORT));
  }

  @AfterEach
  void stop() {
    endpoint.close();
  }

  private InetSocketAddress lookUp(String host, int at) {
    assertThat(host).isEqualTo(HOST);
    lookedUpBy.add(Thread.currentThread());
    return new InetSocketAddress("127.0.0.1", at);
  }

  private InetSocketAddress engine(Peer peer) throws Exception {
    CompletableFuture<InetSocketAddress> known = new CompletableFuture<>();
    peer.whenKnown((address, failure) -> known.complete(address));
    return known.get(60, TimeUnit.SECONDS);
  }

  @Test
  void onlyWhoeverWantsToKnowLooksItUp() throws Exception {
    Peer peer =
        new Peer(
            JOB,
            HOST,
            port,
            endpoint.client(),
            endpoint.scheduler(),
            new Peer.Patience(1, 60_000),
            this::lookUp);
    InetSocketAddress engine = engine(peer);
    assertThat(engine).isEqualTo(new InetSocketAddress("127.0.0.1", ENGINE_PORT));
    assertThat(asked).hasValue(BUSY + 1);
    assertThat(lookedUpBy).containsExactly(Thread.currentThread());
    peer.doubt(engine);
    assertThat(engine(peer)).isEqualTo(engine);
    assertThat(lookedUpBy).as("it may have moved").hasSize(2).containsOnly(Thread.currentThread());
  }

  /** As with a port that no engine can have. */
  @Test
  void whoWaitsIsToldWhenTheLookUpFails() throws Exception {
    List<Throwable> told = new CopyOnWriteArrayList<>();
    AtomicReference<Peer> known = new AtomicReference<>();
    Peer peer =
        new Peer(
            JOB,
            HOST,
            port,
            endpoint.client(),
            endpoint.scheduler(),
            new Peer.Patience(1, 60_000),
            (host, at) -> {
              known.get().whenKnown((address, failure) -> told.add(failure));
              throw new IllegalArgumentException("port out of range: 65537");
            });
    known.set(peer);
    peer.whenKnown((address, failure) -> told.add(failure));
    assertThat(told).hasSize(2).allMatch(IllegalArgumentException.class::isInstance);
    assertThat(engine(peer)).as("asked again later").isNull();
  }
}
