// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** The channel of a {@link CopyStream}: what the DataNode uses of one, checked; nothing else. */
final class CopyChannel extends FileChannel {

  private final CheckedCopy copy;

  CopyChannel(CheckedCopy copy) {
    this.copy = copy;
  }

  @Override
  public long position() throws IOException {
    return copy.channel().position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    copy.channel().position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return copy.channel().size();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return copy.transferTo(position, count, target);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    long position = position();
    int n = read(into, position);
    if (n > 0) {
      position(position + n);
    }
    return n;
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    byte[] bytes = new byte[Math.min(into.remaining(), 1 << 16)];
    int n = copy.read(position, bytes, 0, bytes.length);
    if (n > 0) {
      into.put(bytes, 0, n);
    }
    return n;
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      while (into[i].hasRemaining()) {
        int n = read(into[i]);
        if (n < 0) {
          return total == 0 ? -1 : total;
        }
        total += n;
      }
    }
    return total;
  }

  @Override
  public int write(ByteBuffer from) {
    throw new NonWritableChannelException();
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer from, long position) {
    throw new NonWritableChannelException();
  }

  @Override
  public long transferFrom(ReadableByteChannel from, long position, long count) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public void force(boolean metaData) {
    throw new NonWritableChannelException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    // A mapping would show bytes nobody has checked.
    throw new NonReadableChannelException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new NonWritableChannelException();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    copy.close();
  }
}
