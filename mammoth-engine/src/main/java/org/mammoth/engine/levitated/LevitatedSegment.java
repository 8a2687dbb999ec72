// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The stored bytes of a segment that stays at its source (network-levitated merge; Hadoop-A paper,
 * Yu et al. 2013, §3.1): while one block is read, the next one is on its way into another. With one
 * block it reads and waits in turn, and with none it has bytes brought straight to its reader, but
 * for the first ones, which may be asked for ahead: slow, but as right.
 *
 * <p>One thread reads and closes it; blocks arrive on any. A block that is being written when it is
 * closed goes back when that has ended.
 */
public final class LevitatedSegment extends InputStream {

  private final RangeReader reader;
  private final int segment;
  private final String name;
  private final long length;
  private final byte[] one = new byte[1];

  /** What is being read, null before the first byte was asked for without a header. */
  private Block current;

  private ByteBuffer bytes = ByteBuffer.allocate(0);

  /** Where the next block goes; null while it is on its way, or if there is none. */
  private Block spare;

  private Arrival next;

  /** Bytes handed out. */
  private long position;

  /** Bytes that have come or are on their way. */
  private long asked;

  private boolean closed;

  /** Waiting for the next bytes has failed. */
  private boolean broken;

  /** A range on its way. */
  private final class Arrival {
    /** Where it goes; null if that is no block. */
    private final Block block;

    private final ByteBuffer into;
    private final int count;
    private boolean done;
    private boolean abandoned;
    private Throwable failure;

    Arrival(Block block, ByteBuffer into) {
      this.block = block;
      this.into = into.duplicate();
      this.count = into.remaining();
    }

    void done(Throwable why) {
      boolean free;
      synchronized (this) {
        if (done) {
          return;
        }
        done = true;
        failure = why;
        free = abandoned;
        notifyAll();
      }
      if (free && block != null) {
        block.free();
      }
    }

    synchronized void await() throws IOException {
      broken = true;
      try {
        while (!done) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException ended =
            new InterruptedIOException("the reader of " + name + " was ended while it waited");
        ended.initCause(e);
        throw ended;
      }
      if (failure != null) {
        throw new SourceLostException(segment, name, position, failure);
      }
      broken = false;
    }

    /** Nobody waits for it any more: its block goes back, now or when it has come. */
    void abandon() {
      boolean free;
      synchronized (this) {
        abandoned = true;
        free = done;
      }
      if (free && block != null) {
        block.free();
      }
    }
  }

  /**
   * A segment of which the first bytes may be here.
   *
   * @param reader brings the rest
   * @param segment what the reader calls it
   * @param name for messages
   * @param length its bytes, as they are stored
   * @param header holds its first bytes, freed with this; or null
   * @param here how many of them are in {@code header}
   * @param spare where the next block goes, freed with this; or null
   */
  public LevitatedSegment(
      RangeReader reader,
      int segment,
      String name,
      long length,
      Block header,
      int here,
      Block spare) {
    this.reader = reader;
    this.segment = segment;
    this.name = name;
    this.length = length;
    this.current = header;
    this.spare = spare;
    this.asked = here;
    if (header != null) {
      bytes = header.view(here);
    }
  }

  /**
   * Gives the request for the first bytes, as {@link #ahead()} does, or for a few of them on the
   * heap where there is no block; so they come with those of other segments, not one by one.
   *
   * @param few bytes without a block, at least 1
   */
  public RangeRequest first(int few) {
    RangeRequest request = ahead();
    if (request != null || next != null || asked > 0 || asked == length || closed) {
      return request;
    }
    return request(null, ByteBuffer.allocate(ahead(few)));
  }

  /**
   * Gives the request for the next block, to be handed to the reader with those of other segments;
   * null if there is nothing to ask for, or no place for it. A segment that is read asks by itself.
   */
  public RangeRequest ahead() {
    if (next != null || asked == length || closed) {
      return null;
    }
    Block into = spare;
    spare = null;
    if (into == null && !bytes.hasRemaining()) {
      into = current;
      current = null;
      bytes = ByteBuffer.allocate(0);
    }
    return into == null ? null : request(into, into.view(ahead(into.bytes())));
  }

  private int ahead(int room) {
    return (int) Math.min(room, length - asked);
  }

  private RangeRequest request(Block block, ByteBuffer into) {
    Arrival arrival = new Arrival(block, into);
    RangeRequest request = new RangeRequest(segment, asked, into, arrival::done);
    next = arrival;
    asked += arrival.count;
    return request;
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int count) throws IOException {
    if (closed) {
      throw new IOException(name + " was read after it was closed");
    }
    if (broken) {
      throw new IOException("the rest of " + name + " was given up before");
    }
    if (count == 0) {
      return 0;
    }
    if (!bytes.hasRemaining()) {
      if (position == length) {
        return -1;
      }
      askAhead();
      if (next == null) {
        return readDirectly(into, offset, count);
      }
      turn();
    }
    int read = Math.min(count, bytes.remaining());
    bytes.get(into, offset, read);
    position += read;
    return read;
  }

  /** Goes on to the block that was on its way, and has the one after it sent. */
  private void turn() throws IOException {
    Arrival come = next;
    come.await();
    if (current != null) {
      spare = current;
    }
    current = come.block;
    bytes = come.into;
    next = null;
    if (spare != null) {
      askAhead();
    }
  }

  private void askAhead() {
    RangeRequest request = ahead();
    if (request != null) {
      reader.read(List.of(request));
    }
  }

  private int readDirectly(byte[] into, int offset, int count) throws IOException {
    // The array stays the reader's if this is interrupted: what comes late must not be seen in it.
    byte[] own = new byte[ahead(count)];
    RangeRequest request = request(null, ByteBuffer.wrap(own));
    reader.read(List.of(request));
    Arrival come = next;
    come.await();
    next = null;
    System.arraycopy(own, 0, into, offset, own.length);
    position += own.length;
    if (own.length == 0) {
      throw new EOFException(name + " ends at byte " + position + " of " + length);
    }
    return own.length;
  }

  /** Gives its blocks back. Safe to call twice. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    bytes = ByteBuffer.allocate(0);
    if (current != null) {
      current.free();
      current = null;
    }
    if (spare != null) {
      spare.free();
      spare = null;
    }
    if (next != null) {
      next.abandon();
      next = null;
    }
  }
}
