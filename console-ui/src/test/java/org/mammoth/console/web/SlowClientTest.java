// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/** Clients that do not read, do not write, or take all they can get leave the others theirs. */
class SlowClientTest {

  /** More than the server has threads. */
  private static final int MANY = 60;

  @TempDir static Path dir;
  private static SimulatedCluster cluster;
  private static Console console;
  private final List<Socket> sockets = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    cluster = new SimulatedCluster(60, Clock.systemUTC());
    console =
        ConsoleUnderTest.start(
            cluster, dir, conf -> conf.set(ConsoleKeys.STREAM_CLIENTS_EACH.name(), "10"));
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
    cluster.close();
  }

  private Socket send(String text) throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress("127.0.0.1", console.port()));
    sockets.add(socket);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + path))
            .timeout(Duration.ofSeconds(10))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void close() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void answersThatNobodyReadsHoldNoThread() throws Exception {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> get("/api/v1/overview").body().contains("\"OK\":60"));
    // More than sockets on both sides keep; none is read.
    String one = "GET /api/v1/nodes HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String page = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try {
      for (int i = 0; i < MANY; i++) {
        send((i % 2 == 0 ? one : page).repeat(400));
      }
      for (int i = 0; i < 5; i++) {
        assertThat(get("/api/v1/about").statusCode()).isEqualTo(200);
        Thread.sleep(300);
      }
    } finally {
      close();
    }
  }

  @Test
  void ordersWhoseBodyDoesNotComeHoldNoThread() throws Exception {
    try {
      for (int i = 0; i < MANY; i++) {
        send(
            "POST /api/v1/cache/actions/evict?path=/x HTTP/1.1\r\nHost: localhost\r\n"
                + "X-XSRF-HEADER: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: 100\r\n\r\na");
      }
      assertThat(get("/api/v1/about").statusCode()).isEqualTo(200);
      // Nor are they kept.
      Socket first = sockets.get(0);
      first.setSoTimeout(10_000);
      assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 403");
    } finally {
      close();
    }
  }

  @Test
  void oneClientsStreamsLeaveOthersTheirs() throws Exception {
    try {
      String session = "Cookie: " + ConsoleUnderTest.session(console, "modest") + "\r\n";
      List<String> heads = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        // Another name is no other client.
        heads.add(head(send(stream("").replace("stream", "stream?user.name=u" + i))));
      }
      assertThat(heads.subList(0, 10)).containsOnly("HTTP/1.1 200");
      assertThat(heads.subList(10, 12)).containsOnly("HTTP/1.1 503");
      assertThat(head(send(stream(session)))).isEqualTo("HTTP/1.1 200");
      sockets.get(0).close();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> head(send(stream(""))).equals("HTTP/1.1 200"));
    } finally {
      close();
    }
  }

  private static String stream(String header) {
    return "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n";
  }

  private static String head(Socket socket) throws Exception {
    socket.setSoTimeout(10_000);
    InputStream in = socket.getInputStream();
    return new String(in.readNBytes(12), StandardCharsets.US_ASCII);
  }

  @Test
  void requestsThatWaitForDaemonsAreShared() {
    Shares shares = new Shares(5, 2);
    assertThat(shares.take("a") && shares.take("a")).isTrue();
    assertThat(shares.take("a")).isFalse();
    assertThat(shares.take("b") && shares.take("b") && shares.take("c")).isTrue();
    assertThat(shares.take("d")).as("all are taken").isFalse();
    shares.release("a");
    shares.release("a");
    shares.release("a");
    assertThat(shares.size()).isEqualTo(3);
    assertThat(shares.take("d")).isTrue();
  }
}
