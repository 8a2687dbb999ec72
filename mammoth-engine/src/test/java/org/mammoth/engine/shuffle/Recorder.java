// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes one connection on to a server and keeps what its client said. */
final class Recorder implements Closeable {

  private final ServerSocket listener;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  Recorder(InetSocketAddress server) throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    thread(() -> pass(server));
  }

  InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  byte[] said() {
    synchronized (said) {
      return said.toByteArray();
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
              upstream.getInputStream().transferTo(client.getOutputStream());
            } catch (IOException e) {
              // the connection ended
            }
          });
      byte[] buffer = new byte[8192];
      for (int n = client.getInputStream().read(buffer);
          n >= 0;
          n = client.getInputStream().read(buffer)) {
        synchronized (said) {
          said.write(buffer, 0, n);
        }
        upstream.getOutputStream().write(buffer, 0, n);
      }
    } catch (IOException e) {
      // the connection ended
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
