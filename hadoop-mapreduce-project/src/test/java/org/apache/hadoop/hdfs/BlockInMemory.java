// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;

/** What a DataNode would send of a block; damaged from some byte on. */
class BlockInMemory implements BlockReader {

  static final int DISTANCE = 7;
  private static final int PACKET = 64 << 10;

  private final byte[] block;
  private final long badFrom;
  private final long end;
  private long at;

  BlockInMemory(byte[] block, long from, long length, long badFrom) {
    this.block = block;
    this.badFrom = badFrom;
    this.at = from;
    this.end = from + length;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (at == end) {
      return -1;
    }
    if (at >= badFrom) {
      throw new ChecksumException("bad", at);
    }
    int count = (int) Math.min(Math.min(PACKET, length), end - at);
    System.arraycopy(block, (int) at, into, offset, count);
    at += count;
    return count;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    byte[] bytes = new byte[into.remaining()];
    int count = read(bytes, 0, bytes.length);
    if (count > 0) {
      into.put(bytes, 0, count);
    }
    return count;
  }

  @Override
  public long skip(long wanted) {
    long skipped = Math.min(wanted, end - at);
    at += skipped;
    return skipped;
  }

  @Override
  public int available() {
    return (int) (end - at);
  }

  @Override
  public void close() {}

  @Override
  public void readFully(byte[] into, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int readAll(byte[] into, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isShortCircuit() {
    return false;
  }

  @Override
  public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
    return null;
  }

  @Override
  public DataChecksum getDataChecksum() {
    return DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
  }

  @Override
  public int getNetworkDistance() {
    return DISTANCE;
  }
}
