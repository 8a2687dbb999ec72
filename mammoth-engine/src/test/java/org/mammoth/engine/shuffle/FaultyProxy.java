// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between client and server and does, once, what it is told at a given byte of what the
 * server sends: flip a bit, cut the connection, or swallow everything from then on.
 */
public final class FaultyProxy implements Closeable {

  /** What goes wrong. */
  public enum Fault {
    FLIP,
    CUT,
    SWALLOW
  }

  private final ServerSocket listener;
  private final InetSocketAddress server;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  public final AtomicLong fromClient = new AtomicLong();
  public final AtomicLong fromServer = new AtomicLong();
  private volatile Fault fault;
  private volatile long at;

  public FaultyProxy(InetSocketAddress server) throws IOException {
    this.server = server;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    thread(this::accept);
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  /** The next connection that sends byte {@code offset} suffers the fault. */
  public void plan(Fault what, long offset) {
    at = offset;
    fault = what;
  }

  private static void thread(Runnable task) {
    Thread thread = new Thread(task, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket upstream = new Socket(server.getAddress(), server.getPort());
        sockets.add(client);
        sockets.add(upstream);
        thread(() -> up(client, upstream));
        thread(() -> down(upstream, client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void up(Socket client, Socket upstream) {
    byte[] buffer = new byte[8192];
    try (client;
        upstream) {
      InputStream in = client.getInputStream();
      OutputStream out = upstream.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        fromClient.addAndGet(n);
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // the connection ended
    }
  }

  private void down(Socket upstream, Socket client) {
    byte[] buffer = new byte[8192];
    long sent = 0;
    boolean swallow = false;
    try (client;
        upstream) {
      InputStream in = upstream.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (fault != null && at < sent + n) {
          int where = (int) Math.max(0, at - sent);
          Fault now = fault;
          fault = null;
          if (now == Fault.FLIP) {
            buffer[where] ^= 4;
          } else if (now == Fault.CUT) {
            out.write(buffer, 0, where);
            return;
          } else {
            out.write(buffer, 0, where);
            swallow = true;
          }
        }
        // Who has read the bytes finds them counted.
        fromServer.addAndGet(n);
        if (!swallow) {
          out.write(buffer, 0, n);
        }
        sent += n;
      }
    } catch (IOException e) {
      // the connection ended
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
