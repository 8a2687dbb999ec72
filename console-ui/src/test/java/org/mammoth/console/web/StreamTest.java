// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/** Streams that are read, and streams that are not. */
class StreamTest {

  private static final int READ = 200;
  private static final int STALLED = 150;

  @TempDir Path dir;

  private static Socket stream(int port, int receiveBuffer) throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(receiveBuffer);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    socket
        .getOutputStream()
        .write(
            "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void stalledStreamsCostNoMemoryAndNobodyElseAnything() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(150, Clock.systemUTC());
        Console console =
            ConsoleUnderTest.start(
                cluster,
                dir,
                conf -> {
                  conf.set(ConsoleKeys.STREAM_CLIENTS.name(), "" + (READ + STALLED));
                  conf.set(ConsoleKeys.STREAM_CLIENTS_EACH.name(), "" + (READ + STALLED));
                })) {
      List<Socket> sockets = new ArrayList<>();
      List<AtomicInteger> events = new ArrayList<>();
      try {
        for (int i = 0; i < STALLED; i++) {
          sockets.add(stream(console.port(), 4096));
        }
        for (int i = 0; i < READ; i++) {
          Socket socket = stream(console.port(), 65536);
          sockets.add(socket);
          AtomicInteger seen = new AtomicInteger();
          events.add(seen);
          Thread reader = new Thread(() -> count(socket, seen));
          reader.setDaemon(true);
          reader.start();
        }
        await()
            .atMost(Duration.ofSeconds(40))
            .untilAsserted(() -> assertThat(events).allMatch(seen -> seen.get() >= 3));
        // Before the first of the stalled is given up and leaves its place.
        try (Socket refused = stream(console.port(), 65536)) {
          byte[] head = new byte[12];
          assertThat(refused.getInputStream().readNBytes(head, 0, 12)).isEqualTo(12);
          assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 503");
        }
        long early = leastUsedAfterCollections();
        List<Integer> at = events.stream().map(AtomicInteger::get).toList();
        await().atMost(Duration.ofSeconds(60)).until(() -> events.get(0).get() >= at.get(0) + 8);
        // A moment of 150 nodes is some 60 kB; kept for each stalled stream, 8 would be 72 MB. With
        // 50 streams, none of them kept, the heap grew by 5 MB; looked at once, by 14.
        assertThat(leastUsedAfterCollections() - early).isLessThan(36L << 20);
        // One that wakes up gets the present, whole.
        String text = readUntilSecondSnapshot(sockets.get(0));
        assertThat(text).contains("event: snapshot");
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
  }

  private static void count(Socket socket, AtomicInteger seen) {
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = socket.getInputStream()) {
      int n;
      byte before = 0;
      while ((n = in.read(buffer)) >= 0) {
        for (int i = 0; i < n; i++) {
          if (buffer[i] == '\n' && before == '\n') {
            seen.incrementAndGet();
          }
          before = buffer[i];
        }
      }
    } catch (java.io.IOException e) {
      // The test has closed it.
      return;
    }
  }

  private static String readUntilSecondSnapshot(Socket socket) throws Exception {
    socket.setSoTimeout(20_000);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[1 << 14];
    while (text.indexOf("event: snapshot") == text.lastIndexOf("event: snapshot")
        && System.nanoTime() < deadline) {
      int n = socket.getInputStream().read(buffer);
      if (n < 0) {
        break;
      }
      text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
    }
    assertThat(text.lastIndexOf("event: snapshot")).isGreaterThan(text.indexOf("event: snapshot"));
    return text.substring(text.lastIndexOf("event: snapshot"));
  }

  /**
   * The least of several looks, in bytes: what is under way to the streams that are read comes and
   * goes.
   */
  private static long leastUsedAfterCollections() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int look = 0; look < 10; look++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
      Thread.sleep(100);
    }
    return least;
  }
}
