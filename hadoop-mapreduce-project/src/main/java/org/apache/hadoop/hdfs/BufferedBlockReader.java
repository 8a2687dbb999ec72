// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;

/**
 * A part of a block for those who read few bytes at a time, as {@code SequenceFile} and TeraSort's
 * input do: what the reader below has at hand is fetched once and handed out in pieces, which
 * {@link EngineInputStream} takes without upstream's bookkeeping for each. Long reads go straight
 * through.
 *
 * <p>It returns fewer bytes than wanted where upstream's does, at the end of a DataNode's packet;
 * of a short-circuit read, which has buffers of its own, where the block ends. One thread at a
 * time.
 */
final class BufferedBlockReader implements BlockReader {

  /** Reads of at least so many bytes are not worth a copy. */
  static final int LONG = 2 << 10;

  /** More than a packet of a DataNode, so that a short read tells that a packet ends. */
  private static final int BUFFER = (64 << 10) + 512;

  private static final byte[] NONE = {};

  private final BlockReader below;

  /** Where in the file the next byte is that this reader returns. */
  private long position;

  private byte[] buffer = NONE;
  private int at;
  private int end;

  /** Whether the reader below may have more at hand than what it gave. */
  private boolean cut;

  /**
   * @param below closed with this one
   * @param position in the file of the first byte of the part
   */
  BufferedBlockReader(BlockReader below, long position) {
    this.below = below;
    this.position = position;
  }

  /** Where in the file the next byte is that this reader returns. */
  long position() {
    return position;
  }

  /** Bytes that {@link #take} has. */
  int buffered() {
    return end - at;
  }

  /** Hands out bytes that are {@link #buffered}. */
  void take(byte[] into, int offset, int length) {
    System.arraycopy(buffer, at, into, offset, length);
    advance(length);
  }

  /** Hands out a byte, from 0 to 255, that is {@link #buffered}. */
  int take() {
    int value = buffer[at] & 0xff;
    advance(1);
    return value;
  }

  private void advance(int count) {
    at += count;
    position += count;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, into.length);
    int done = Math.min(length, buffered());
    take(into, offset, done);
    if (done == length || done > 0 && !cut) {
      return done;
    }
    int more = readOn(into, offset + done, length - done);
    return more < 0 && done > 0 ? done : done + more;
  }

  /** With nothing buffered. */
  private int readOn(byte[] into, int offset, int length) throws IOException {
    cut = false;
    if (length >= LONG) {
      return moved(below.read(into, offset, length));
    }
    int count = fill();
    if (count <= 0) {
      return count;
    }
    int done = Math.min(length, count);
    take(into, offset, done);
    return done;
  }

  private int fill() throws IOException {
    if (buffer.length == 0) {
      buffer = new byte[BUFFER];
    }
    at = 0;
    end = 0;
    int count = below.read(buffer, 0, buffer.length);
    end = Math.max(0, count);
    cut = count == buffer.length || count > 0 && below.isShortCircuit();
    return count;
  }

  private int moved(int count) {
    if (count > 0) {
      position += count;
    }
    return count;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int done = Math.min(into.remaining(), buffered());
    into.put(buffer, at, done);
    advance(done);
    if (done > 0 && (!into.hasRemaining() || !cut)) {
      return done;
    }
    cut = false;
    int more = moved(below.read(into));
    return more < 0 && done > 0 ? done : done + more;
  }

  @Override
  public long skip(long wanted) throws IOException {
    int done = (int) Math.max(0, Math.min(wanted, buffered()));
    advance(done);
    if (done == wanted) {
      return done;
    }
    long more = below.skip(wanted - done);
    position += more;
    return done + more;
  }

  /** As below, where it is the distance within which upstream's stream skips instead of opening. */
  @Override
  public int available() {
    return Math.max(buffered(), below.available());
  }

  @Override
  public void readFully(byte[] into, int offset, int length) throws IOException {
    int done = Math.min(length, buffered());
    take(into, offset, done);
    if (done < length) {
      below.readFully(into, offset + done, length - done);
      position += length - done;
    }
  }

  @Override
  public int readAll(byte[] into, int offset, int length) throws IOException {
    int done = Math.min(length, buffered());
    take(into, offset, done);
    return done == length
        ? done
        : done + Math.max(0, moved(below.readAll(into, offset + done, length - done)));
  }

  /** Nothing is handed out any more: upstream's stream opens another reader where it goes on. */
  @Override
  public void close() throws IOException {
    buffer = NONE;
    at = 0;
    end = 0;
    below.close();
  }

  @Override
  public boolean isShortCircuit() {
    return below.isShortCircuit();
  }

  @Override
  public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
    return below.getClientMmap(options);
  }

  @Override
  public DataChecksum getDataChecksum() {
    return below.getDataChecksum();
  }

  @Override
  public int getNetworkDistance() {
    return below.getNetworkDistance();
  }
}
