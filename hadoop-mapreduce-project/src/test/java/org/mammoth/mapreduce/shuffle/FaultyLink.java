// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A relay to a port of this host that does one harm to what comes from there, once. */
final class FaultyLink implements AutoCloseable {

  enum Fault {
    FLIP,
    CUT,
    /** Nothing more comes over the connection, which stays open. */
    SILENCE
  }

  private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final int target;
  private final Fault fault;
  private long untilFault;

  /** Harms the byte after {@code after} bytes from the server. */
  FaultyLink(int target, Fault fault, long after) throws IOException {
    this.target = target;
    this.fault = fault;
    this.untilFault = after;
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Whether the harm has been done. */
  synchronized boolean done() {
    return untilFault < 0;
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "faulty-link");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        sockets.add(client);
        Socket server;
        try {
          server = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
          client.close();
          continue;
        }
        sockets.add(server);
        start(() -> relay(client, server, false));
        start(() -> relay(server, client, true));
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private void relay(Socket from, Socket to, boolean harmful) {
    byte[] buffer = new byte[1000];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        int at = harmful ? faultIn(read) : -1;
        if (at >= 0 && fault == Fault.CUT) {
          out.write(buffer, 0, at);
          return;
        }
        if (at >= 0 && fault == Fault.SILENCE) {
          out.write(buffer, 0, at);
          in.transferTo(OutputStream.nullOutputStream());
          return;
        }
        if (at >= 0) {
          buffer[at] ^= 1;
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // one side has gone, as the other will see
    }
  }

  private synchronized int faultIn(int read) {
    if (untilFault < 0) {
      return -1;
    }
    if (untilFault >= read) {
      untilFault -= read;
      return -1;
    }
    int at = (int) untilFault;
    untilFault = -1;
    return at;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
