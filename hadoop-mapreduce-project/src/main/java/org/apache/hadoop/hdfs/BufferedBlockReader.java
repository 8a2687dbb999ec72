// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;

/**
 * A part of a block for those who read few bytes at a time, as {@code SequenceFile} and TeraSort's
 * input do: what the reader below has at hand is fetched once and handed out in pieces, which
 * {@link EngineInputStream} takes without upstream's bookkeeping for each. Long reads go straight
 * through.
 *
 * <p>The reader below may have more than the stream may hand out: a block of a snapshot's file has
 * what was appended since. So nothing is fetched ahead from beyond the stream's end, and all that
 * is {@link #buffered} belongs to the file.
 *
 * <p>It returns fewer bytes than wanted where upstream's does, at the end of a DataNode's packet;
 * of a short-circuit read, which has buffers of its own, where the block ends. One thread at a
 * time.
 */
final class BufferedBlockReader implements BlockReader {

  /** Reads of at least so many bytes are not worth a copy. */
  private static final int LONG = 2 << 10;

  /** More than a packet of a DataNode, so that a short read tells that a packet ends. */
  private static final int BUFFER = (64 << 10) + 512;

  private static final byte[] NONE = {};

  private final BlockReader below;

  private final LongSupplier streamEnd;

  /** Where in the file the next byte is that this reader returns. */
  private long position;

  private byte[] buffer = NONE;

  /** Only where a read reaches from one buffer into the next. */
  private byte[] spare = NONE;

  private int at;
  private int end;

  /** Whether the reader below may have more at hand than what it gave. */
  private boolean cut;

  /**
   * @param below closed with this one
   * @param position in the file of the first byte of the part
   * @param streamEnd where in the file the stream that reads here ends its reads of this block;
   *     asked before each fetch
   */
  BufferedBlockReader(BlockReader below, long position, LongSupplier streamEnd) {
    this.below = below;
    this.position = position;
    this.streamEnd = streamEnd;
  }

  /** Where in the file the next byte is that this reader returns. */
  long position() {
    return position;
  }

  /** Bytes that {@link #take} has, none of them beyond the stream's end. */
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

  private void drop() {
    at = 0;
    end = 0;
    cut = false;
  }

  private void advance(int count) {
    at += count;
    position += count;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, into.length);
    int done = Math.min(length, buffered());
    if (done == length || done > 0 && !cut) {
      take(into, offset, done);
      return done;
    }
    System.arraycopy(buffer, at, into, offset, done);
    int wanted = length - done;
    return wanted < LONG
        ? total(done, takeOfNext(done, into, offset + done, wanted))
        : total(done, passed(done, below.read(into, offset + done, wanted)));
  }

  private int takeOfNext(int done, byte[] into, int offset, int wanted) throws IOException {
    int count = fill(position + done, wanted);
    position += done;
    int more = Math.min(count, wanted);
    take(into, offset, Math.max(0, more));
    return more;
  }

  /** After a read past the buffer, whose rest was handed out before. */
  private int passed(int done, int more) {
    drop();
    position += done + Math.max(0, more);
    return more;
  }

  private static int total(int done, int more) {
    return more < 0 && done > 0 ? done : done + more;
  }

  /**
   * Whatever is buffered is still there if the reader below fails, hence the other array.
   *
   * @param from where in the file the reader below stands
   * @param wanted less than {@link #LONG}; fetched wherever the stream ends
   */
  private int fill(long from, int wanted) throws IOException {
    boolean keep = buffered() > 0 || buffer == NONE;
    byte[] next = keep ? other() : buffer;
    int most = (int) Math.min(next.length, Math.max(wanted, streamEnd.getAsLong() - from));
    int count = below.read(next, 0, most);
    if (keep) {
      spare = buffer;
      buffer = next;
    }
    at = 0;
    end = Math.max(0, count);
    cut = count == most || count > 0 && below.isShortCircuit();
    return count;
  }

  private byte[] other() {
    return spare == NONE ? new byte[BUFFER] : spare;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int done = Math.min(into.remaining(), buffered());
    into.put(buffer, at, done);
    if (done > 0 && (!into.hasRemaining() || !cut)) {
      advance(done);
      return done;
    }
    return total(done, passed(done, below.read(into)));
  }

  /** Upstream's seek asks for less than nothing if it goes forward by 2 GiB and more. */
  @Override
  public long skip(long wanted) throws IOException {
    if (wanted <= 0) {
      return 0;
    }
    int done = (int) Math.min(wanted, buffered());
    long more = done == wanted ? 0 : below.skip(wanted - done);
    advance(done);
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
    below.readFully(into, offset + done, length - done);
    take(into, offset, done);
    position += length - done;
  }

  @Override
  public int readAll(byte[] into, int offset, int length) throws IOException {
    int done = Math.min(length, buffered());
    int more = done == length ? 0 : below.readAll(into, offset + done, length - done);
    take(into, offset, done);
    position += Math.max(0, more);
    return done + Math.max(0, more);
  }

  /** Nothing is handed out any more: upstream's stream opens another reader where it goes on. */
  @Override
  public void close() throws IOException {
    drop();
    buffer = NONE;
    spare = NONE;
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
