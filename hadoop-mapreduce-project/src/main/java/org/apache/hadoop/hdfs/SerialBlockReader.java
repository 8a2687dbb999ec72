// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.EOFException;
import java.io.IOException;

/** What readers of a part of a block have in common that copy what is read. */
abstract class SerialBlockReader implements BlockReader {

  private static final int NEAR = 128 << 10;

  private final String from;

  /** Bytes of the part that have not been read. */
  protected long left;

  /**
   * @param from where the block is read, for messages: its file, or the cache
   * @param length of the part
   */
  protected SerialBlockReader(String from, long length) {
    this.from = from;
    this.left = length;
  }

  /** As upstream's: what is nearer than a new connection, to a reader who seeks forward. */
  @Override
  public int available() {
    return (int) Math.min(left, NEAR);
  }

  @Override
  public void readFully(byte[] into, int offset, int length) throws IOException {
    if (readAll(into, offset, length) < length) {
      throw new EOFException(from + ": a block ends before the " + length + " bytes wanted of it");
    }
  }

  @Override
  public int readAll(byte[] into, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int count = read(into, offset + done, length - done);
      if (count < 0) {
        break;
      }
      done += count;
    }
    return done;
  }
}
