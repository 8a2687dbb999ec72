package org.mammoth.hdfs.slave;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import jdk.net.ExtendedSocketOptions;
import org.mammoth.mpcache.slave.LocalizedSpace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends room for localized data to the engines of this node, over a Unix domain socket {@code room}
 * in each SSD directory. A connection is a lease: what an engine holds goes back when its
 * connection ends, and so when it dies. Room of a folder is lent to the folder's owner only, whom
 * the kernel vouches for.
 *
 * <p>A request is a byte, {@link #TAKE} or {@link #GIVE}, a long, the bytes, and the folder's path
 * as of {@link DataInputStream#readUTF}; the answer is a byte, 1 for granted, 0 for refused.
 * Anything else ends the connection.
 *
 * <p>Safe for any thread.
 */
final class RoomServer implements Closeable {

  static final byte TAKE = 1;
  static final byte GIVE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(RoomServer.class);
  private static final String SOCKET = "room";
  private static final int MOST_ENGINES = 256;

  private final LocalizedSpace space;
  private final ThreadFactory threads;
  private final List<ServerSocketChannel> listeners = new ArrayList<>();
  private final Set<SocketChannel> engines = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param threads for one thread per directory and engine
   */
  RoomServer(LocalizedSpace space, ThreadFactory threads) {
    this.space = space;
    this.threads = threads;
  }

  /** Where engines find the server of an SSD directory. */
  static Path socket(Path ssdDirectory) {
    return ssdDirectory.resolve(SOCKET);
  }

  /** Begins to listen; a directory where that fails lends no room. */
  synchronized void listen(List<Path> ssdDirectories) {
    for (Path directory : ssdDirectories) {
      try {
        ServerSocketChannel listener = bind(socket(directory));
        listeners.add(listener);
        threads.newThread(() -> accept(listener)).start();
      } catch (IOException | RuntimeException e) {
        LOG.warn(
            "SSD directory {} has no room for localized data: its socket can't be made: {}"
                + " (mammoth.mpcache.dirs)",
            directory,
            e.toString());
      }
    }
  }

  private static ServerSocketChannel bind(Path socket) throws IOException {
    Files.createDirectories(socket.getParent());
    Files.deleteIfExists(socket);
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
    return listener;
  }

  private void accept(ServerSocketChannel listener) {
    while (!closed) {
      try {
        SocketChannel engine = listener.accept();
        if (engines.size() >= MOST_ENGINES) {
          engine.close();
          continue;
        }
        engines.add(engine);
        threads.newThread(() -> serve(engine)).start();
        if (closed) {
          engine.close();
        }
      } catch (IOException e) {
        if (!closed) {
          LOG.warn("No more room for localized data is lent by {}", listener, e);
        }
        return;
      }
    }
  }

  private void serve(SocketChannel engine) {
    try (engine;
        LocalizedSpace.Tenant tenant = space.open()) {
      UserPrincipal user = engine.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
      DataInputStream in = new DataInputStream(Channels.newInputStream(engine));
      DataOutputStream out = new DataOutputStream(Channels.newOutputStream(engine));
      for (int request = in.read(); request == TAKE || request == GIVE; request = in.read()) {
        long bytes = in.readLong();
        Path folder = Path.of(in.readUTF());
        boolean done = true;
        if (request == GIVE) {
          tenant.give(folder, bytes);
        } else {
          done = owns(user, folder) && tenant.take(folder, bytes);
        }
        out.writeByte(done ? 1 : 0);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("An engine's room goes back", e);
    } finally {
      engines.remove(engine);
    }
  }

  private static boolean owns(UserPrincipal user, Path folder) {
    try {
      return Files.getOwner(folder).equals(user);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    listeners.forEach(RoomServer::end);
    engines.forEach(RoomServer::end);
  }

  private static void end(Closeable channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("Closing {}", channel, e);
    }
  }
}
