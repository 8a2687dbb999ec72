// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.client.FetchRequest;

class SecurityTest {

  private final Rig rig = new Rig();
  private final Collected sink = new Collected();
  private final SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 50_000);

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  @AfterAll
  static void noLeaks() {
    Leaks.assertNone();
  }

  private Reason refusal() throws Exception {
    return Failures.of(
            rig.client.fetch(rig.address, FetchRequest.whole(key), sink).future(),
            FetchException.class)
        .reason();
  }

  @Test
  void aWrongSecretIsRefusedAndTheRightOneStillWorks() throws Exception {
    rig.start();
    rig.clientSecrets.put(Rig.JOB, Rig.secret("another job"));
    assertThat(refusal()).isEqualTo(Reason.BAD_PROOF);
    assertThat(rig.source.reads).hasValue(0);
    rig.knows(Rig.JOB);
    Failures.get(rig.client.fetch(rig.address, FetchRequest.whole(key), sink).future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 50_000));
  }

  @Test
  void manyWrongProofsCloseTheConnection() throws Exception {
    rig.conf.setInt("mammoth.shuffle.connections-per-node", 1);
    rig.start();
    rig.clientSecrets.put(Rig.JOB, Rig.secret("another job"));
    for (int i = 0; i < 4; i++) {
      assertThat(refusal()).isEqualTo(Reason.BAD_PROOF);
    }
    await().until(() -> rig.server.connections() == 0);
  }

  @Test
  void aJobEitherSideDoesNotKnowIsSaidClearly() throws Exception {
    rig.start();
    rig.serverSecrets.remove(Rig.JOB);
    assertThat(refusal()).isEqualTo(Reason.UNKNOWN_JOB);
    rig.knows(Rig.JOB);
    rig.clientSecrets.remove(Rig.JOB);
    assertThat(refusal()).isEqualTo(Reason.UNKNOWN_JOB);
  }

  @Test
  void aConnectionOfOneJobDoesNotReachAnotherJobsOutput() throws Exception {
    rig.start();
    SegmentKey foreign = rig.source.add("job_1_0002", "attempt_2_m_0", 0, 100);
    Failures.get(rig.client.fetch(rig.address, FetchRequest.whole(key), sink).future());
    rig.serverSecrets.put("job_1_0002", Rig.secret("job_1_0002"));
    rig.clientSecrets.put("job_1_0002", Rig.secret(Rig.JOB));
    FetchException why =
        Failures.of(
            rig.client.fetch(rig.address, FetchRequest.whole(foreign), sink).future(),
            FetchException.class);
    assertThat(why.reason()).isEqualTo(Reason.BAD_PROOF);
  }

  /** Everything a good client said is said again, byte for byte, on a new connection. */
  @Test
  void aReplayedConversationGetsNothing() throws Exception {
    rig.start();
    try (Recorder recorder = new Recorder(rig.address)) {
      Failures.get(rig.client.fetch(recorder.address(), FetchRequest.whole(key), sink).future());
      int reads = rig.source.reads.get();
      try (Socket again = new Socket(rig.address.getAddress(), rig.address.getPort())) {
        again.getOutputStream().write(recorder.said());
        DataInputStream in = new DataInputStream(again.getInputStream());
        assertThat(type(in)).as("HELLO").isEqualTo(1);
        assertThat(type(in)).as("DENY").isEqualTo(4);
        assertThat(type(in)).as("NACK").isEqualTo(14);
      }
      assertThat(rig.source.reads).hasValue(reads);
    }
  }

  private static int type(DataInputStream in) throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return frame[0];
  }

  @Test
  void whoeverProvesNothingIsPutOut() throws Exception {
    rig.conf.setInt("mammoth.shuffle.handshake.timeout-ms", 100);
    rig.start();
    try (Socket silent = new Socket(rig.address.getAddress(), rig.address.getPort())) {
      silent.setSoTimeout(5_000);
      assertThat(silent.getInputStream().readAllBytes()).isNotEmpty();
    }
  }

  @Test
  void whatIsNoFrameGetsOneErrorAndTheEnd() throws Exception {
    rig.start();
    try (Socket http = new Socket(rig.address.getAddress(), rig.address.getPort())) {
      http.setSoTimeout(5_000);
      http.getOutputStream()
          .write("GET /mapOutput HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      DataInputStream in = new DataInputStream(http.getInputStream());
      assertThat(type(in)).as("HELLO").isEqualTo(1);
      assertThat(type(in)).as("ERROR").isEqualTo(15);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void withoutATlsContextARequiredTlsOpensNothing() throws Exception {
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    assertThatThrownBy(rig::startServer)
        .isInstanceOf(ShuffleException.class)
        .hasMessageContaining("mapreduce.shuffle.ssl.enabled");
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", false);
    rig.startServer();
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    var address = rig.address;
    rig.client =
        new org.mammoth.engine.shuffle.client.ShuffleClient(
            org.mammoth.engine.shuffle.client.ClientSettings.from(rig.conf),
            rig.clientSecrets::get,
            () -> null,
            rig.loops,
            rig.scheduler);
    ShuffleException why = Failures.of(rig.client.probe(address), ShuffleException.class);
    assertThat(why.reason()).isEqualTo(Reason.TLS);
    assertThat(rig.server.connections()).isZero();
  }
}
