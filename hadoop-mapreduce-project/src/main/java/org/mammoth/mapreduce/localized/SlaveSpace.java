// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.localized;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.engine.io.LocalizedFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the SSD cache's slave on this node, which is part of the DataNode, for room. The connection
 * is the lease: the slave takes all back when it ends. After a slave was lost, its successor is
 * asked for what is held, so that its books are right again; if it refuses, the files stay.
 *
 * <p>docs/mpcache.md has the protocol. Safe for any thread; one request at a time, none waits for
 * longer than the time-out, and after a failure there is none for a while. Tasks' threads ask, too:
 * an interrupt of one of them never ends the connection, with which all leases of the engine would
 * end. It does not close a channel that does not block, and is told its thread after the answer.
 */
public final class SlaveSpace implements LocalizedFiles.SpaceLender, Closeable {

  static final byte TAKE = 1;
  static final byte GIVE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(SlaveSpace.class);
  private static final String SOCKET = "room";
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final List<Path> dirs;
  private final long timeoutMs;
  private final LongSupplier nanoClock;
  private final Map<Path, Long> held = new HashMap<>();
  private SocketChannel slave;
  private Selector answers;
  private long failedAt;
  private boolean failed;

  /**
   * Connects when it is first asked.
   *
   * @param dirs folders for localized data; the slave's socket lies beside each
   * @param timeoutMs for one answer, positive
   * @param nanoClock as {@link System#nanoTime}
   */
  public SlaveSpace(List<Path> dirs, long timeoutMs, LongSupplier nanoClock) {
    this.dirs = List.copyOf(dirs);
    this.timeoutMs = timeoutMs;
    this.nanoClock = nanoClock;
  }

  @Override
  public synchronized boolean take(Path dir, long bytes) {
    // Whoever is to end needs no room any more.
    if (Thread.currentThread().isInterrupted()) {
      return false;
    }
    try {
      if (!connect() || !ask(TAKE, dir, bytes)) {
        return false;
      }
      held.merge(dir, bytes, Long::sum);
      return true;
    } catch (IOException e) {
      lost(e);
      return false;
    }
  }

  @Override
  public synchronized void give(Path dir, long bytes) {
    held.merge(dir, -bytes, Long::sum);
    if (slave != null) {
      try {
        ask(GIVE, dir, bytes);
      } catch (IOException e) {
        lost(e);
      }
    }
  }

  private boolean connect() throws IOException {
    if (slave != null) {
      return true;
    }
    if (failed && nanoClock.getAsLong() - failedAt < PAUSE_NANOS) {
      return false;
    }
    IOException last = new IOException("no SSD directory is configured");
    for (Path dir : dirs) {
      try {
        open(dir.resolveSibling(SOCKET));
        break;
      } catch (IOException e) {
        last = e;
      }
    }
    if (slave == null) {
      throw last;
    }
    for (Map.Entry<Path, Long> old : held.entrySet()) {
      if (old.getValue() > 0) {
        ask(TAKE, old.getKey(), old.getValue());
      }
    }
    if (failed) {
      LOG.info("The SSD cache lends room for localized data again");
    }
    failed = false;
    return true;
  }

  private void open(Path socket) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
        throw new IOException(socket + " takes no connection now");
      }
      answers = Selector.open();
      channel.register(answers, SelectionKey.OP_READ);
      slave = channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      closeQuietly(answers);
      answers = null;
      throw e instanceof IOException io ? io : new IOException(e);
    }
  }

  private boolean ask(byte request, Path dir, long bytes) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(message);
    out.writeByte(request);
    out.writeLong(bytes);
    out.writeUTF(dir.toString());
    ByteBuffer question = ByteBuffer.wrap(message.toByteArray());
    // A few hundred bytes fit the socket's buffer, or the slave has not read for long.
    slave.write(question);
    if (question.hasRemaining()) {
      throw new IOException("the slave does not read its requests");
    }
    ByteBuffer answer = ByteBuffer.allocate(1);
    boolean interrupted = false;
    try {
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
      while (slave.read(answer) == 0) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (leftMs <= 0) {
          throw new IOException("the slave has not answered within " + timeoutMs + " ms");
        }
        interrupted |= Thread.interrupted();
        answers.select(leftMs);
        answers.selectedKeys().clear();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (answer.position() == 0) {
      throw new EOFException("the slave has ended the connection");
    }
    return answer.get(0) == 1;
  }

  private void lost(IOException why) {
    if (!failed) {
      LOG.info(
          "The SSD cache lends no room for localized data, which goes to the ordinary local"
              + " directories: {} (mammoth.io.ssd-dirs)",
          why.toString());
    }
    failed = true;
    failedAt = nanoClock.getAsLong();
    close();
  }

  /** Ends the connection; all room goes back. */
  @Override
  public synchronized void close() {
    closeQuietly(answers);
    closeQuietly(slave);
    answers = null;
    slave = null;
  }

  private static void closeQuietly(Closeable resource) {
    if (resource != null) {
      try {
        resource.close();
      } catch (IOException e) {
        LOG.debug("Closing {}", resource, e);
      }
    }
  }
}
