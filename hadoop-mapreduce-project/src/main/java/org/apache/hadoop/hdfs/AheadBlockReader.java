// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;
import org.mammoth.mapreduce.buffers.InputReads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of a block of this node's DataNode. Its first MiB or two ({@link InputReads#headBytes})
 * are read as upstream does: many readers want no more. Whoever reads on gets the rest in bursts of
 * several megabytes, which are read ahead of him by the disk's thread when it is their turn,
 * whether the DataNode reads the disk or, short-circuit, this process does. Without that 128 KiB
 * are read at a time, and a spinning disk that serves three maps spends nine tenths of its time on
 * seeks.
 *
 * <p>Errors are those of upstream's readers, unwrapped: {@link DFSInputStream} decides by their
 * class what to do about them. One thread at a time, {@link #close} any.
 */
final class AheadBlockReader extends SerialBlockReader {

  private static final Logger LOG = LoggerFactory.getLogger(AheadBlockReader.class);

  private static final int SCRATCH = 64 << 10;

  private final BlockSource.Opener opener;
  private final String file;
  private final InputReads input;
  private final long restFrom;
  private final long restLength;
  private final DataChecksum checksum;
  private final int distance;
  private final boolean shortCircuit;

  private BlockReader head;
  private long headLeft;

  /** The rest read ahead, or as upstream does where no memory is to be had for that. */
  private InputStream ahead;

  private BlockSource source;
  private BlockReader plain;

  private AheadBlockReader(
      BlockReader head,
      BlockSource.Opener opener,
      String file,
      long from,
      long length,
      InputReads input) {
    super(file, length);
    this.opener = opener;
    this.file = file;
    this.input = input;
    this.headLeft = headLength(from, input);
    this.restFrom = from + headLeft;
    this.restLength = length - headLeft;
    this.head = head;
    this.checksum = head.getDataChecksum();
    this.distance = head.getNetworkDistance();
    this.shortCircuit = head.isShortCircuit();
  }

  /**
   * Opens a part of a block.
   *
   * @param file of HDFS that the block belongs to
   * @param length for which it {@link #isWorthwhile}
   */
  static BlockReader open(
      BlockSource.Opener opener, String file, long from, long length, InputReads input)
      throws IOException {
    BlockReader head = opener.open(from, headLength(from, input));
    return new AheadBlockReader(head, opener, file, from, length, input);
  }

  /** Whether a part of a block is long enough. */
  static boolean isWorthwhile(long from, long length, InputReads input) {
    return length - headLength(from, input) >= input.headBytes();
  }

  /** Up to a boundary of the checksums, as their size is a power of two below the head's. */
  private static long headLength(long from, InputReads input) {
    int head = input.headBytes();
    return 2L * head - from % head;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int count = headLeft > 0 ? readHead(into, offset, length) : readRest(into, offset, length);
    if (count > 0) {
      left -= count;
    }
    return count;
  }

  private int readHead(byte[] into, int offset, int length) throws IOException {
    int count = head.read(into, offset, (int) Math.min(length, headLeft));
    if (count > 0) {
      headLeft -= count;
    }
    if (headLeft < input.headBytes() && source == null && plain == null) {
      openRest();
    }
    if (headLeft == 0) {
      closeHead();
    }
    return count;
  }

  private void openRest() throws IOException {
    source = new BlockSource(opener, file, restFrom, restLength, input.burstBytes());
    ahead = input.open(source, restLength);
    if (ahead == null) {
      plain = opener.open(restFrom, restLength);
    }
  }

  private int readRest(byte[] into, int offset, int length) throws IOException {
    if (plain != null) {
      return plain.read(into, offset, (int) Math.min(length, left));
    }
    try {
      return ahead.read(into, offset, length);
    } catch (IOException e) {
      throw source.failure() == null ? e : source.failure();
    }
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (into.hasArray()) {
      int count = read(into.array(), into.arrayOffset() + into.position(), into.remaining());
      if (count > 0) {
        into.position(into.position() + count);
      }
      return count;
    }
    byte[] bytes = new byte[Math.min(SCRATCH, into.remaining())];
    int count = read(bytes, 0, bytes.length);
    if (count > 0) {
      into.put(bytes, 0, count);
    }
    return count;
  }

  @Override
  public long skip(long wanted) throws IOException {
    if (wanted <= 0) {
      return 0;
    }
    if (isAsUpstream()) {
      long skipped = plain.skip(Math.min(wanted, left));
      left -= skipped;
      return skipped;
    }
    byte[] scratch = new byte[(int) Math.min(SCRATCH, wanted)];
    long skipped = 0;
    while (skipped < wanted) {
      int count = read(scratch, 0, (int) Math.min(scratch.length, wanted - skipped));
      if (count < 0) {
        break;
      }
      skipped += count;
    }
    return skipped;
  }

  @Override
  public int available() {
    return isAsUpstream() ? plain.available() : super.available();
  }

  /**
   * Memory of the block's file, where this process may read it. Who asks for it copies nothing, so
   * there is nothing to read ahead for him any more.
   */
  @Override
  public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
    if (!shortCircuit || left == 0) {
      return null;
    }
    try {
      if (!isAsUpstream()) {
        readAsUpstream();
      }
    } catch (IOException e) {
      LOG.debug("{} is not mapped", file, e);
      return null;
    }
    return plain.getClientMmap(options);
  }

  /** Whether all that is left is read as upstream does. */
  private boolean isAsUpstream() {
    return plain != null && headLeft == 0;
  }

  private void readAsUpstream() throws IOException {
    BlockReader all = opener.open(restFrom + restLength - left, left);
    try {
      close();
    } finally {
      headLeft = 0;
      ahead = null;
      plain = all;
    }
  }

  /** The rest is read as the head is, which only the client's statistics ask for. */
  @Override
  public boolean isShortCircuit() {
    return shortCircuit;
  }

  @Override
  public DataChecksum getDataChecksum() {
    return checksum;
  }

  @Override
  public int getNetworkDistance() {
    return distance;
  }

  private void closeHead() throws IOException {
    BlockReader open = head;
    head = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      closeHead();
    } finally {
      if (ahead != null) {
        ahead.close();
      }
      if (plain != null) {
        plain.close();
      }
    }
  }
}
