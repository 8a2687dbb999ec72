// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.crypto.SecretKey;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;

/**
 * Fetches a segment of which a part was merged already from the NodeManager, as upstream's fetchers
 * fetch: when its engine is gone and no other one takes its place. Upstream's shuffle knows nothing
 * of identities; that the rest belongs to what was merged is what the checksum at the segment's end
 * tells the merge.
 */
final class StockSegment {

  /** The node has answered, and asking again is of no use. */
  static final class RefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /** The node has what is asked for and too many who ask; it says when to come again. */
  static final class BusyException extends IOException {

    private static final long serialVersionUID = 1L;

    private final long pauseMs;

    BusyException(String message, long pauseMs) {
      super(message);
      this.pauseMs = pauseMs;
    }

    long pauseMs() {
      return pauseMs;
    }
  }

  /** The node cannot: mostly since the output is gone, but it may be in trouble for a moment. */
  static final class TroubleException extends IOException {

    private static final long serialVersionUID = 1L;

    TroubleException(String message) {
      super(message);
    }
  }

  /** The disk of the reduce's own node has failed, or is full: no map is to blame. */
  static final class OwnDiskException extends IOException {

    private static final long serialVersionUID = 1L;

    OwnDiskException(IOException why) {
      super("a disk of the reduce's own node does not serve: " + why.getMessage(), why);
    }
  }

  /** Tells errors of this node's disk from those of the connection. */
  private static final class OwnFile extends OutputStream {
    private final OutputStream out;

    OwnFile(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      try {
        out.write(from, offset, length);
      } catch (IOException e) {
        throw new OwnDiskException(e);
      }
    }

    @Override
    public void close() throws IOException {
      try {
        out.close();
      } catch (IOException e) {
        throw new OwnDiskException(e);
      }
    }
  }

  /** What upstream's shuffle answers beyond mapreduce.shuffle.max.connections. */
  private static final int TOO_MANY_REQUESTS = 429;

  /** In milliseconds, as upstream's shuffle and its fetchers have it. */
  private static final String COME_AGAIN = "Retry-After";

  private static final long SHORTEST_PAUSE_MS = 100;
  private static final long PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 30_000;

  private static final int SERVER_ERRORS = 500;

  private static final int COPY_BYTES = 64 << 10;
  private static final int CONNECT_MS = 20_000;
  private static final int LONGEST_NAME = 1_000;

  private final SecretKey secret;
  private final ConnectionConfigurator connections;
  private final ReceiveStore store;
  private final int readMs;
  private HttpURLConnection underWay;
  private boolean stopped;

  /**
   * Fetches for one reduce.
   *
   * @param secret of the job's shuffle
   * @param connections lets them trust the node, where its shuffle is encrypted
   * @param readMs silence after which a node counts as gone
   */
  StockSegment(
      SecretKey secret, ConnectionConfigurator connections, ReceiveStore store, long readMs) {
    this.connections = connections;
    this.secret = secret;
    this.store = store;
    this.readMs = (int) Math.min(Integer.MAX_VALUE, readMs);
  }

  /**
   * Brings all of a segment into a file of this node.
   *
   * @param node as completion events name it
   * @param length bytes it must have
   * @throws RefusedException if it is not to be had, or is damaged
   * @throws BusyException if the node answers no more requests just now
   * @throws TroubleException if it fails to answer
   * @throws OwnDiskException if this node cannot keep it
   * @throws IOException if it may be had later
   */
  Path fetch(String node, String job, String attempt, int partition, long length)
      throws IOException {
    URL url = new URL(node + "/mapOutput?job=" + job + "&reduce=" + partition + "&map=" + attempt);
    HttpURLConnection connection = connections.configure((HttpURLConnection) url.openConnection());
    synchronized (this) {
      if (stopped) {
        throw new RefusedException("the reduce is over");
      }
      underWay = connection;
    }
    try {
      return receive(connection, attempt, partition, length);
    } finally {
      connection.disconnect();
    }
  }

  /** Ends what is under way, and all that would come; any thread. */
  void stop() {
    HttpURLConnection connection;
    synchronized (this) {
      stopped = true;
      connection = underWay;
    }
    if (connection != null) {
      connection.disconnect();
    }
  }

  private Path receive(HttpURLConnection connection, String attempt, int partition, long length)
      throws IOException {
    String hash =
        SecureShuffleUtils.hashFromString(
            SecureShuffleUtils.buildMsgFrom(connection.getURL()), secret);
    connection.setConnectTimeout(CONNECT_MS);
    connection.setReadTimeout(readMs);
    connection.addRequestProperty(SecureShuffleUtils.HTTP_HEADER_URL_HASH, hash);
    connection.addRequestProperty(
        ShuffleHeader.HTTP_HEADER_NAME, ShuffleHeader.DEFAULT_HTTP_HEADER_NAME);
    connection.addRequestProperty(
        ShuffleHeader.HTTP_HEADER_VERSION, ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);
    int code = connection.getResponseCode();
    if (code != HttpURLConnection.HTTP_OK) {
      throw refusal(connection, code);
    }
    String reply = connection.getHeaderField(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH);
    if (reply == null) {
      throw new RefusedException(connection.getURL() + " does not prove that it knows the job");
    }
    SecureShuffleUtils.verifyReply(reply, hash, secret);
    try (DataInputStream in = new DataInputStream(connection.getInputStream())) {
      // Upstream's ShuffleHeader, which shows nobody what it has read.
      String name = WritableUtils.readStringSafely(in, LONGEST_NAME);
      long stored = WritableUtils.readVLong(in);
      WritableUtils.readVLong(in);
      int reduce = WritableUtils.readVInt(in);
      if (!name.equals(attempt) || reduce != partition || stored != length) {
        throw new RefusedException(connection.getURL() + " has another output of " + attempt);
      }
      return write(in, attempt, length);
    }
  }

  /** Only what is wrong with the request itself is so for good and at once. */
  private static IOException refusal(HttpURLConnection connection, int code) throws IOException {
    String text = connection.getURL() + " answers " + code + said(connection);
    if (code == TOO_MANY_REQUESTS) {
      long told = connection.getHeaderFieldLong(COME_AGAIN, PAUSE_MS);
      long pause = told < 0 ? PAUSE_MS : told;
      return new BusyException(
          text, Math.max(SHORTEST_PAUSE_MS, Math.min(pause, LONGEST_PAUSE_MS)));
    }
    return code >= SERVER_ERRORS ? new TroubleException(text) : new RefusedException(text);
  }

  private static String said(HttpURLConnection connection) throws IOException {
    try (InputStream error = connection.getErrorStream()) {
      return error == null
          ? ""
          : ": " + new String(error.readNBytes(LONGEST_NAME), StandardCharsets.UTF_8).trim();
    }
  }

  /** The checksum of what is encrypted can't be compared while it arrives. */
  private boolean isWhole(Path path, long length) throws IOException {
    return length == 0 || store.isWhole(store.open(path, length), length);
  }

  private Path newFile(String attempt, long length) throws IOException {
    try {
      return store.newFile(attempt, length);
    } catch (IOException e) {
      throw new OwnDiskException(e);
    }
  }

  private OutputStream create(Path path) throws IOException {
    try {
      return new OwnFile(store.create(path));
    } catch (IOException e) {
      throw new OwnDiskException(e);
    }
  }

  private Path write(DataInputStream in, String attempt, long length) throws IOException {
    Path path = newFile(attempt, length);
    SegmentCheck check = store.showsChecksum() ? new SegmentCheck(length) : null;
    boolean written = false;
    try {
      try (OutputStream out = create(path)) {
        byte[] buffer = new byte[COPY_BYTES];
        long left = length;
        while (left > 0) {
          int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
          if (read < 0) {
            throw new EOFException(left + " bytes of " + attempt + " are missing");
          }
          if (check != null) {
            check.update(ByteBuffer.wrap(buffer, 0, read));
          }
          out.write(buffer, 0, read);
          left -= read;
        }
      }
      if (check == null ? !isWhole(path, length) : !check.holds()) {
        throw new RefusedException("the output of " + attempt + " does not fit its checksum");
      }
      written = true;
    } finally {
      if (!written) {
        store.delete(path);
      }
    }
    return path;
  }
}
