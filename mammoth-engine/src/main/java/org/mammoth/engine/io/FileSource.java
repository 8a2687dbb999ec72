// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A local file. */
public final class FileSource implements Source {

  /** A multiple of the blocks of all file systems there are; cache units begin on one. */
  private static final int BOUNDARY = 4096;

  private final Path path;
  private boolean readThrough;
  private FileChannel channel;

  /** Past the page cache; null until it is used, and where that is not possible. */
  private FileChannel direct;

  public FileSource(Path path) {
    this.path = path;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void readThrough() {
    readThrough = true;
  }

  @Override
  public int boundary() {
    return readThrough ? BOUNDARY : 1;
  }

  @Override
  public int read(long position, ByteBuffer into) throws IOException {
    if (channel == null) {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    }
    return channel.read(into, position);
  }

  @Override
  public void read(long position, ByteBuffer[] into, long least) throws IOException {
    long done = canBeDirect(into) ? readDirectly(position, into, least) : 0;
    for (ByteBuffer buffer : into) {
      while (done < least && buffer.hasRemaining()) {
        int count = read(position + done, buffer);
        if (count < 0) {
          throw new EOFException("the file ends at " + (position + done));
        }
        done += count;
      }
    }
  }

  private static boolean canBeDirect(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      if (!buffer.isDirect()
          || buffer.alignmentOffset(0, BOUNDARY) != 0
          || buffer.remaining() % BOUNDARY != 0) {
        return false;
      }
    }
    return true;
  }

  /** Reads as much as one sequence of direct reads gives, whole blocks or up to the file's end. */
  private long readDirectly(long position, ByteBuffer[] into, long least) throws IOException {
    try {
      if (direct == null) {
        direct = FileChannel.open(path, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
      }
      direct.position(position);
      long done = 0;
      long count = 0;
      while (done < least && done % BOUNDARY == 0 && (count = direct.read(into)) > 0) {
        done += count;
      }
      return done;
    } catch (IOException e) {
      if (!Refusal.isOne(e)) {
        throw e;
      }
    } catch (UnsupportedOperationException e) {
      // This file system has no direct I/O: by way of the page cache, then.
    }
    for (ByteBuffer buffer : into) {
      buffer.position(0);
    }
    return 0;
  }

  @Override
  public void close() throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      if (direct != null) {
        direct.close();
      }
    }
  }
}
