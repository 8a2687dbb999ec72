// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes one connection on to a server and keeps what both sides said. */
public final class Recorder implements Closeable {

  private final ServerSocket listener;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

  public Recorder(InetSocketAddress server) throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    thread(() -> pass(server));
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  /** What the client said. */
  public byte[] said() {
    synchronized (said) {
      return said.toByteArray();
    }
  }

  /** What the server said. */
  public byte[] heard() {
    synchronized (heard) {
      return heard.toByteArray();
    }
  }

  private static void thread(Runnable task) {
    Thread thread = new Thread(task, "recorder");
    thread.setDaemon(true);
    thread.start();
  }

  private void pass(InetSocketAddress server) {
    try (Socket client = listener.accept();
        Socket upstream = new Socket(server.getAddress(), server.getPort())) {
      thread(
          () -> {
            try {
              copy(upstream, client, heard);
            } catch (IOException e) {
              // the connection ended
            }
          });
      copy(client, upstream, said);
    } catch (IOException e) {
      // the connection ended
    }
  }

  private static void copy(Socket from, Socket to, ByteArrayOutputStream kept) throws IOException {
    byte[] buffer = new byte[8192];
    InputStream in = from.getInputStream();
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      synchronized (kept) {
        kept.write(buffer, 0, n);
      }
      to.getOutputStream().write(buffer, 0, n);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
