// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.mammoth.mpcache.slave.LocalSsdFiles;
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
final class SpaceServer implements Closeable {

  static final byte TAKE = 1;
  static final byte GIVE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(SpaceServer.class);
  private static final String SOCKET = "room";
  private static final int FIRST_JAVA_WITH_UNIX_SOCKETS = 16;
  private static final int MOST_ENGINES = 256;
  private static final int MOST_OF_ONE_USER = 128;

  /** What stops a listener for a while, as a process without descriptors, goes by. */
  private static final long PAUSE_MS = 1_000;

  /** Waits before a listener tries again, a test as it likes. */
  interface Pause {
    void pause(long ms) throws InterruptedException;
  }

  /** Takes the next connection; a test has its own. */
  interface Acceptor {
    SocketChannel accept(ServerSocketChannel listener) throws IOException;
  }

  private final LocalizedSpace space;
  private final ThreadFactory threads;
  private final Acceptor acceptor;
  private final Pause pause;

  @GuardedBy("this")
  private final List<ServerSocketChannel> listeners = new ArrayList<>();

  private final SpaceConnections engines = new SpaceConnections(MOST_ENGINES, MOST_OF_ONE_USER);
  private volatile boolean closed;

  /**
   * @param threads for one thread per directory and engine
   */
  SpaceServer(LocalizedSpace space, ThreadFactory threads) {
    this(space, threads, ServerSocketChannel::accept, TimeUnit.MILLISECONDS::sleep);
  }

  SpaceServer(LocalizedSpace space, ThreadFactory threads, Acceptor acceptor, Pause pause) {
    this.space = space;
    this.threads = threads;
    this.acceptor = acceptor;
    this.pause = pause;
  }

  /** Where engines find the server of an SSD directory. */
  static Path socket(Path ssdDirectory) {
    return ssdDirectory.resolve(SOCKET);
  }

  /** Begins to listen; a directory where that fails lends no room. */
  synchronized void listen(List<Path> ssdDirectories) {
    int java = Runtime.version().feature();
    if (java < FIRST_JAVA_WITH_UNIX_SOCKETS && !ssdDirectories.isEmpty()) {
      LOG.warn(
          "Engines get no room for localized data on SSD: this DataNode runs on Java {}, which has"
              + " no Unix domain sockets; {} has. Input is cached as ever.",
          java,
          FIRST_JAVA_WITH_UNIX_SOCKETS);
      return;
    }
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
    Path directory = socket.getParent();
    LocalSsdFiles.makeParents(socket);
    Files.deleteIfExists(socket);
    ServerSocketChannel listener = UnixSockets.bind(socket);
    try {
      SpaceSocket.open(socket, LocalizedSpace.folder(directory));
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
    return listener;
  }

  private void accept(ServerSocketChannel listener) {
    boolean failed = false;
    while (!closed && listener.isOpen()) {
      try {
        begin(acceptor.accept(listener));
        failed = false;
      } catch (IOException | RuntimeException | Error e) {
        if (!closed && listener.isOpen()) {
          if (!failed) {
            LOG.warn("{} takes no engines for now, and tries again", listener, e);
          }
          failed = true;
          rest();
        }
      }
    }
  }

  private void rest() {
    try {
      pause.pause(PAUSE_MS);
    } catch (InterruptedException e) {
      // Nobody ends this thread so; close() does.
      LOG.debug("Not waiting", e);
    }
  }

  private void begin(SocketChannel engine) throws IOException {
    boolean begun = false;
    try {
      UserPrincipal user = UnixSockets.peer(engine);
      if (engines.enter(engine, user.getName())) {
        threads.newThread(() -> serve(engine, user)).start();
        begun = true;
      }
    } finally {
      if (!begun) {
        engines.leave(engine);
        SpaceConnections.end(engine);
      }
    }
  }

  private void serve(SocketChannel engine, UserPrincipal user) {
    try (engine;
        LocalizedSpace.Tenant tenant = space.open()) {
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
          if (done) {
            engines.holds(engine);
          }
        }
        out.writeByte(done ? 1 : 0);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("An engine's room goes back", e);
    } finally {
      engines.leave(engine);
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
    listeners.forEach(SpaceConnections::end);
    engines.close();
  }
}
