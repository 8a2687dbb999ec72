// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of those who ask for room, with bounds, so that nobody on the node can keep
 * others out: when there are too many, of one user or together, the oldest that holds no room makes
 * way. Thread-safe.
 */
final class SpaceConnections implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceConnections.class);

  private static final class Client {
    private final String user;
    private boolean holder;

    Client(String user) {
      this.user = user;
    }
  }

  private final int most;
  private final int mostOfOne;

  @GuardedBy("this")
  private final Map<SocketChannel, Client> clients = new LinkedHashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param most connections together
   * @param mostOfOne connections of one user
   */
  SpaceConnections(int most, int mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /** Lets a connection in; false if there is no place, even after others have made way. */
  synchronized boolean enter(SocketChannel channel, String user) {
    if (closed
        || !makePlace(user, mostOfOne, count(user))
        || !makePlace(null, most, clients.size())) {
      return false;
    }
    clients.put(channel, new Client(user));
    return true;
  }

  @GuardedBy("this")
  private int count(String user) {
    return (int) clients.values().stream().filter(client -> client.user.equals(user)).count();
  }

  @GuardedBy("this")
  private boolean makePlace(String user, int bound, int present) {
    if (present < bound) {
      return true;
    }
    for (Map.Entry<SocketChannel, Client> entry : clients.entrySet()) {
      Client client = entry.getValue();
      if (!client.holder && (user == null || client.user.equals(user))) {
        clients.remove(entry.getKey());
        end(entry.getKey());
        return true;
      }
    }
    return false;
  }

  /** A connection holds room, and stays for as long as it likes. */
  synchronized void holds(SocketChannel channel) {
    Client client = clients.get(channel);
    if (client != null) {
      client.holder = true;
    }
  }

  synchronized void leave(SocketChannel channel) {
    clients.remove(channel);
  }

  /** Ends all connections, and lets no more in. */
  @Override
  public synchronized void close() {
    closed = true;
    clients.keySet().forEach(SpaceConnections::end);
    clients.clear();
  }

  static void end(Closeable channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("Closing {}", channel, e);
    }
  }
}
