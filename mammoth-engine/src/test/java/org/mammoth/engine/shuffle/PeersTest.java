// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.PushReceiver;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.client.Subscription;
import org.mammoth.engine.shuffle.server.Pusher;
import org.mammoth.engine.shuffle.server.SegmentLengths;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;

/** More peers than a process keeps connections to, and peers that are busy or none of ours. */
class PeersTest {

  private static final int PEERS = 600;
  private static final int LENGTH = 3_000;
  private static final Duration AT_LAST = Duration.ofSeconds(180);

  private final Rig rig = new Rig();
  private final List<ShuffleClient> clients = new ArrayList<>();
  private final List<ShuffleServer> servers = new ArrayList<>();
  private final List<Subscription> subscriptions = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    subscriptions.forEach(Subscription::close);
    clients.forEach(ShuffleClient::close);
    servers.forEach(ShuffleServer::close);
    await().atMost(AT_LAST).until(() -> servers.stream().allMatch(s -> s.connections() == 0));
    rig.close();
  }

  @AfterAll
  static void noLeaks() {
    Leaks.assertNone();
  }

  /** Takes all it is offered. */
  private static final class Taken implements PushReceiver {
    private final Set<SegmentKey> offered = ConcurrentHashMap.newKeySet();
    private final Set<SegmentKey> complete = ConcurrentHashMap.newKeySet();
    private final List<Reason> ended = new CopyOnWriteArrayList<>();

    @Override
    public long offer(SegmentInfo segment) {
      return offered.add(segment.key()) ? 0 : REFUSE;
    }

    @Override
    public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
      for (long at = offset; data.hasRemaining(); at++) {
        assertThat(data.get()).isEqualTo(TestSource.byteAt(segment.key(), at));
      }
    }

    @Override
    public void complete(SegmentInfo segment) {
      complete.add(segment.key());
    }

    @Override
    public void failed(SegmentInfo segment, ShuffleException cause) {
      offered.remove(segment.key());
    }

    @Override
    public void ended(ShuffleException cause) {
      ended.add(cause.reason());
    }
  }

  private ShuffleClient client(Configuration conf) {
    ShuffleClient client =
        new ShuffleClient(
            ClientSettings.from(conf),
            rig.clientSecrets::get,
            () -> null,
            rig.loops,
            rig.scheduler);
    clients.add(client);
    return client;
  }

  private SegmentKey publish(Pusher pusher, String attempt) {
    pusher.published(
        Rig.JOB,
        attempt,
        new SegmentLengths() {
          @Override
          public int partitions() {
            return 1;
          }

          @Override
          public long rawLength(int partition) {
            return 2 * LENGTH;
          }

          @Override
          public long partLength(int partition) {
            return LENGTH;
          }
        },
        rig.source.identity);
    return rig.source.add(Rig.JOB, attempt, 0, LENGTH);
  }

  /** Fetches as a reduce does that is told to come again. */
  private void fetchAtLast(
      ShuffleClient client, InetSocketAddress from, SegmentKey key, Set<Object> got, Object who) {
    client
        .fetch(from, FetchRequest.whole(key), new Collected())
        .future()
        .whenComplete(
            (info, failure) -> {
              if (failure == null) {
                got.add(who);
              } else if (((FetchException) failure).reason().retriable()) {
                rig.scheduler.after(50, () -> fetchAtLast(client, from, key, got, who));
              }
            });
  }

  @Test
  void aServerServesMorePeersThanItKeepsConnections() throws Exception {
    rig.start();
    SegmentKey first = publish(rig.pusher, "attempt_1_m_0");
    List<Taken> all = new ArrayList<>();
    for (int i = 0; i < PEERS; i++) {
      Taken taken = new Taken();
      all.add(taken);
      ShuffleClient client = client(rig.conf);
      subscriptions.add(
          client.subscribe(rig.address, Rig.JOB, 0, "attempt_1_r_" + i, 1 << 20, taken));
    }
    await()
        .atMost(AT_LAST)
        .untilAsserted(() -> assertThat(all).allMatch(each -> each.complete.contains(first)));
    assertThat(rig.server.connections()).isLessThanOrEqualTo(512);
    SegmentKey second = publish(rig.pusher, "attempt_1_m_1");
    Set<Object> fetched = ConcurrentHashMap.newKeySet();
    for (ShuffleClient client : clients) {
      fetchAtLast(client, rig.address, second, fetched, client);
    }
    await().atMost(AT_LAST).until(() -> fetched.size() == PEERS);
    await()
        .atMost(AT_LAST)
        .untilAsserted(() -> assertThat(all).allMatch(each -> each.complete.contains(second)));
    assertThat(all).allMatch(each -> each.ended.isEmpty());
    assertThat(rig.server.connections()).isLessThanOrEqualTo(512);
  }

  @Test
  void aClientIsServedByMorePeersThanItKeepsConnections() throws Exception {
    rig.start();
    List<Pusher> pushers = new ArrayList<>();
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < PEERS; i++) {
      Configuration conf = new Configuration(rig.conf);
      conf.set("mammoth.shuffle.bind-host", "127.1." + i / 250 + "." + (i % 250 + 1));
      Pusher pusher = new Pusher();
      pushers.add(pusher);
      ShuffleServer server =
          new ShuffleServer(
              ServerSettings.from(conf),
              rig.serverSecrets::get,
              rig.source,
              pusher,
              () -> null,
              rig.loops,
              rig.segmentReaders,
              System::nanoTime);
      servers.add(server);
      addresses.add(server.start());
    }
    Taken taken = new Taken();
    for (InetSocketAddress address : addresses) {
      subscriptions.add(rig.client.subscribe(address, Rig.JOB, 0, "attempt_1_r_0", 1 << 20, taken));
    }
    Set<SegmentKey> keys = new HashSet<>();
    for (int i = 0; i < PEERS; i++) {
      keys.add(publish(pushers.get(i), "attempt_1_m_" + i));
    }
    await()
        .atMost(AT_LAST)
        .untilAsserted(() -> assertThat(taken.complete).containsExactlyInAnyOrderElementsOf(keys));
    assertThat(taken.ended).isEmpty();
    // A server learns a little later that its connection has made room.
    await()
        .atMost(AT_LAST)
        .untilAsserted(() -> assertThat(openConnections()).isLessThanOrEqualTo(512));
    Set<Object> fetched = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < PEERS; i++) {
      SegmentKey key = new SegmentKey(Rig.JOB, "attempt_1_m_" + i, 0);
      fetchAtLast(rig.client, addresses.get(i), key, fetched, key);
    }
    await().atMost(AT_LAST).until(() -> fetched.size() == PEERS);
    assertThat(taken.ended).isEmpty();
  }

  private int openConnections() {
    return servers.stream().mapToInt(ShuffleServer::connections).sum();
  }

  private Reason probe(InetSocketAddress address) throws Exception {
    // Left alone for a millisecond, or for five.
    Thread.sleep(10);
    return Failures.of(rig.client.probe(address), ShuffleException.class).reason();
  }

  private void impatient(int probeMs) throws IOException {
    rig.conf.setInt("mammoth.shuffle.probe.timeout-ms", probeMs);
    rig.conf.setInt("mammoth.shuffle.reconnect.min-ms", 1);
    rig.conf.setInt("mammoth.shuffle.reconnect.max-ms", 5);
    rig.start();
  }

  @Test
  void whoIsSilentIsBusyAndForeignOnlyAfterFiveTimes() throws Exception {
    impatient(20);
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort());
      int busy = 0;
      Reason reason = probe(address);
      for (; reason == Reason.BUSY; reason = probe(address)) {
        busy++;
      }
      // More where this machine was too slow to connect in time.
      assertThat(busy).isBetween(4, 40);
      assertThat(reason).isEqualTo(Reason.NOT_OURS);
      assertThat(probe(address)).as("not asked again").isEqualTo(Reason.NOT_OURS);
    }
  }

  @Test
  void whoHasEverGreetedIsNeverForeignForBeingSilent() throws Exception {
    impatient(20);
    await()
        .atMost(AT_LAST)
        .ignoreExceptions()
        .untilAsserted(() -> Failures.get(rig.client.probe(rig.address)));
    rig.server.close();
    await().until(() -> rig.server.connections() == 0);
    try (ServerSocket silent = new ServerSocket()) {
      silent.setReuseAddress(true);
      silent.bind(rig.address, 50);
      for (int i = 0; i < 8; i++) {
        assertThat(probe(rig.address)).isEqualTo(Reason.BUSY);
      }
    }
  }

  @Test
  void whoClosesAtOnceIsForeignAfterThreeTimes() throws Exception {
    impatient(20_000);
    AtomicInteger accepted = new AtomicInteger();
    try (ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(closing.getInetAddress(), closing.getLocalPort());
      Thread thread =
          new Thread(
              () -> {
                try {
                  while (true) {
                    Socket socket = closing.accept();
                    accepted.incrementAndGet();
                    socket.close();
                  }
                } catch (IOException e) {
                  // the test is over
                }
              });
      thread.start();
      assertThat(probe(address)).isEqualTo(Reason.UNREACHABLE);
      assertThat(probe(address)).isEqualTo(Reason.UNREACHABLE);
      assertThat(probe(address)).isEqualTo(Reason.NOT_OURS);
      assertThat(probe(address)).isEqualTo(Reason.NOT_OURS);
      assertThat(accepted).hasValue(3);
    }
  }
}
