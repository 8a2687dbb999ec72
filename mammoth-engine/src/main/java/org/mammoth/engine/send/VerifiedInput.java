// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.io.BlockSums;

/**
 * A range of a file, of which no byte is handed out before the block it lies in was compared with
 * the sum taken when it was written: what a disk has damaged reaches neither a reduce nor another
 * node. Reads whole blocks of the file. One thread at a time.
 */
public final class VerifiedInput extends InputStream {

  private final InputStream file;
  private final String path;
  private final BlockSums sums;
  private final long end;
  private final byte[] one = new byte[1];
  private long position;

  /** Where the next block begins; what lies before it and was not handed out is in the buffer. */
  private long next;

  private byte[] block;

  private VerifiedInput(InputStream file, String path, BlockSums sums, long from, long end) {
    this.file = file;
    this.path = path;
    this.sums = sums;
    this.position = from;
    this.end = end;
    this.next = BlockSums.startOf(from);
  }

  /**
   * Opens a range of a file.
   *
   * @param sums of the whole file; null if they are not known, then nothing is verified here
   */
  public static InputStream open(
      SegmentStream.FileOpener files, String path, BlockSums sums, long from, long length)
      throws IOException {
    if (sums == null || length == 0) {
      return files.open(path, from, length);
    }
    long end = from + length;
    if (end > sums.length()) {
      throw new IOException(
          path + " was written with " + sums.length() + " bytes, byte " + end + " is wanted");
    }
    long first = BlockSums.startOf(from);
    long last = sums.endOf(BlockSums.startOf(end - 1));
    return new VerifiedInput(files.open(path, first, last - first), path, sums, from, end);
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int wanted = (int) Math.min(length, end - position);
    if (wanted <= 0) {
      return length == 0 ? 0 : -1;
    }
    if (position == next && wanted >= sums.endOf(next) - next) {
      int whole = readBlock(into, offset);
      position = next;
      return whole;
    }
    if (position >= next) {
      if (block == null) {
        block = new byte[BlockSums.BLOCK_BYTES];
      }
      readBlock(block, 0);
    }
    int now = (int) Math.min(wanted, next - position);
    System.arraycopy(block, (int) (position % BlockSums.BLOCK_BYTES), into, offset, now);
    position += now;
    return now;
  }

  private int readBlock(byte[] into, int offset) throws IOException {
    int length = (int) (sums.endOf(next) - next);
    int read = file.readNBytes(into, offset, length);
    if (read < length) {
      throw new IOException(path + " ends at byte " + (next + read) + " of " + sums.length());
    }
    if (!sums.fits(next, into, offset)) {
      throw new IOException(sums.damaged(path, next));
    }
    next += length;
    return length;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
