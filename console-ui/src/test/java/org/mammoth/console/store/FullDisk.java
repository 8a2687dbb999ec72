// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A disk with so much room: what does not fit is written in part, as real ones do. */
final class FullDisk implements AppendFile.Disk {

  /** Bytes that still fit. */
  long room = Long.MAX_VALUE;

  /** Whether files can be opened and cut off. */
  boolean works = true;

  @Override
  public FileChannel open(Path path, StandardOpenOption... options) throws IOException {
    check();
    return new Limited(FileChannel.open(path, options));
  }

  private void check() throws IOException {
    if (!works) {
      throw new IOException("No space left on device");
    }
  }

  private final class Limited extends FileChannel {

    private final FileChannel real;

    Limited(FileChannel real) {
      this.real = real;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      if (room <= 0) {
        throw new IOException("No space left on device");
      }
      int fits = (int) Math.min(room, from.remaining());
      ByteBuffer part = from.slice(from.position(), fits);
      int written = real.write(part, position);
      from.position(from.position() + written);
      room -= written;
      return written;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      check();
      room += real.size() - size;
      real.truncate(size);
      return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      check();
      real.force(metaData);
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
      real.close();
    }

    @Override
    public int read(ByteBuffer to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer to, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
