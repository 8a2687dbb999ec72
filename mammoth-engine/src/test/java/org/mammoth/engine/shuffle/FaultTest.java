// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.shuffle.FaultyProxy.Fault;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;

class FaultTest {

  private static final int LENGTH = 300_000;

  /** Bytes of a connection before the first that answers a request. */
  private static final int GREETING = 80;

  /** Random harms of each kind. */
  private static final int HARMS = Integer.getInteger("mammoth.wire.harms", 4);

  private final Rig rig = new Rig();
  private final Collected sink = new Collected();
  private FaultyProxy proxy;
  private SegmentKey key;

  @BeforeEach
  void start() throws IOException {
    rig.conf.setInt("mammoth.shuffle.connections-per-node", 1);
    rig.conf.setInt("mammoth.shuffle.idle.timeout-ms", 1_500);
    rig.conf.setInt("mammoth.shuffle.probe.timeout-ms", 1_500);
    rig.start();
    proxy = new FaultyProxy(rig.address);
    key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, LENGTH);
  }

  @AfterEach
  void stop() throws Exception {
    proxy.close();
    rig.close();
  }

  @AfterAll
  static void noLeaks() {
    Leaks.assertNone();
  }

  private FetchException fetchWithResumption() throws Exception {
    return fetchWithResumption(sink);
  }

  /** Fetches through the proxy, going on at the verified offset until all is there. */
  private FetchException fetchWithResumption(Collected sink) throws Exception {
    FetchRequest request = FetchRequest.whole(key);
    FetchException first = null;
    for (int i = 0; i < 20; i++) {
      Fetch fetch = rig.client.fetch(proxy.address(), request, sink);
      try {
        Failures.get(fetch.future());
        break;
      } catch (java.util.concurrent.ExecutionException e) {
        FetchException why = (FetchException) e.getCause();
        first = first == null ? why : first;
        assertThat(why.verifiedOffset()).isEqualTo(sink.size());
        assertThat(why.reason().retriable()).as(why.toString()).isTrue();
        request = request.resumed(why.verifiedOffset(), 7);
        Thread.sleep(50);
      }
    }
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, LENGTH));
    return first;
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 150, 250, 5_000, 8_450, 100_000, 107_335, 299_999})
  void aFlippedBitAnywhereIsDetectedAndTheRightBytesArrive(int where) throws Exception {
    proxy.plan(Fault.FLIP, where);
    FetchException why = fetchWithResumption();
    assertThat(why.reason()).isIn(Reason.CORRUPT, Reason.PROTOCOL, Reason.CUT, Reason.TIMEOUT);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 5_000, 150_001})
  void aCutInTheMiddleOfAChunkIsResumed(int where) throws Exception {
    proxy.plan(Fault.CUT, where);
    FetchException why = fetchWithResumption();
    assertThat(why.reason()).isIn(Reason.CUT, Reason.UNREACHABLE);
  }

  /** Harms at random places; dev-support/bin/soak does more, {@code mammoth.wire.seed} the same. */
  @ParameterizedTest
  @EnumSource(names = {"FLIP", "CUT"})
  void harmsAnywhereNeverLetAWrongByteThrough(Fault fault) throws Exception {
    long seed = Long.getLong("mammoth.wire.seed", System.nanoTime());
    proxy.close();
    Random random = new Random(seed);
    int seen = 0;
    for (int round = 0; round < HARMS; round++) {
      int where = GREETING + random.nextInt(LENGTH - GREETING);
      try (FaultyProxy harmful = new FaultyProxy(rig.address)) {
        harmful.plan(fault, where);
        proxy = harmful;
        seen += fetchWithResumption(new Collected()) == null ? 0 : 1;
      } catch (AssertionError | Exception e) {
        throw new AssertionError(fault + " at byte " + where + " of seed " + seed, e);
      }
    }
    System.out.println(fault + " of seed " + seed + ": " + seen + " of " + HARMS + " were noticed");
    assertThat(seen).as("seed " + seed).isEqualTo(HARMS);
  }

  @Test
  void aHalfOpenConnectionIsFoundOutByBothSides() throws Exception {
    proxy.plan(Fault.SWALLOW, 100_000);
    assertThat(fetchWithResumption().reason()).isEqualTo(Reason.TIMEOUT);
  }

  @Test
  void aServerThatRestartsInTheMiddleServesTheRest() throws Exception {
    FetchRequest request = new FetchRequest(key, 0, Long.MAX_VALUE, 0, true);
    Fetch fetch = rig.client.fetch(rig.address, request, sink);
    fetch.credit(100_000);
    await().until(() -> sink.size() == 100_000);
    rig.restartServer();
    FetchException why = Failures.of(fetch.future(), FetchException.class);
    assertThat(why.reason()).isIn(Reason.SHUTDOWN, Reason.CUT);
    assertThat(why.verifiedOffset()).isEqualTo(100_000);
    FetchRequest rest = new FetchRequest(key, 100_000, Long.MAX_VALUE, 7, false);
    Failures.get(rig.client.fetch(rig.address, rest, sink).future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, LENGTH));
  }

  @Test
  void aClientThatVanishesLeavesNothingBehind() throws Exception {
    FetchRequest request = new FetchRequest(key, 0, Long.MAX_VALUE, 0, true);
    Fetch fetch = rig.client.fetch(proxy.address(), request, sink);
    fetch.credit(10_000);
    await().until(() -> sink.size() == 10_000);
    proxy.close();
    await().until(() -> rig.source.open() == 0 && rig.server.connections() == 0);
    assertThat(Failures.of(fetch.future(), FetchException.class).reason()).isEqualTo(Reason.CUT);
  }

  @Test
  void aServerThatWaitsForItsClientToSpeakGetsNotOneByte() throws Exception {
    try (ServerSocket http = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address = new InetSocketAddress(http.getInetAddress(), http.getLocalPort());
      var probe = rig.client.probe(address);
      try (Socket accepted = http.accept()) {
        assertThat(Failures.of(probe, ShuffleException.class).reason()).isEqualTo(Reason.BUSY);
        assertThat(accepted.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void aServerThatGreetsOtherwiseIsNotOurs() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(other.getInetAddress(), other.getLocalPort());
      var probe = rig.client.probe(address);
      try (Socket accepted = other.accept()) {
        accepted.getOutputStream().write("220 mail\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(Failures.of(probe, ShuffleException.class).reason()).isEqualTo(Reason.NOT_OURS);
      }
    }
  }

  @Test
  void aServerOfOursIsFoundAndAClosedPortIsUnreachable() throws Exception {
    Failures.get(rig.client.probe(rig.address));
    InetSocketAddress closed;
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      closed = new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
    assertThat(Failures.of(rig.client.probe(closed), ShuffleException.class).reason())
        .isEqualTo(Reason.UNREACHABLE);
  }

  @Test
  void aConnectionNobodyUsesIsClosed() throws Exception {
    Failures.get(rig.client.fetch(rig.address, FetchRequest.whole(key), sink).future());
    assertThat(rig.server.connections()).isEqualTo(1);
    await().until(() -> rig.server.connections() == 0);
    Failures.get(rig.client.fetch(rig.address, FetchRequest.range(key, 0, 5), sink).future());
  }
}
