// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A relay to a port of this host that keeps all that passes, in both directions. */
final class WireTap implements AutoCloseable {

  private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<ByteArrayOutputStream> seen = new CopyOnWriteArrayList<>();
  private final int target;

  WireTap(int target) throws IOException {
    this.target = target;
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Bytes that have passed. */
  long bytes() {
    return seen.stream().mapToLong(ByteArrayOutputStream::size).sum();
  }

  /** Whether a text has passed in clear, in one direction of one connection. */
  boolean saw(String text) {
    return seen.stream()
        .anyMatch(each -> each.toString(StandardCharsets.ISO_8859_1).contains(text));
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "wire-tap");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.addAll(List.of(client, server));
        start(() -> relay(client, server));
        start(() -> relay(server, client));
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private void relay(Socket from, Socket to) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    seen.add(kept);
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        kept.write(buffer, 0, read);
        to.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException e) {
      // one side has gone, as the other will see
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
