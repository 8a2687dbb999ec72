// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A local file that must not exist yet; its folder must. */
public final class FileTarget implements Target {

  private final Path path;
  private boolean writeThrough;
  private FileChannel channel;

  /** Past the page cache; null where that is not wanted, not possible or no longer possible. */
  private FileChannel direct;

  private int blockBytes;

  public FileTarget(Path path) {
    this.path = path;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void writeThrough() {
    writeThrough = true;
  }

  @Override
  public void open() throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    if (writeThrough) {
      openDirect();
    }
  }

  private void openDirect() {
    try {
      blockBytes = Math.toIntExact(Files.getFileStore(path).getBlockSize());
      direct = FileChannel.open(path, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
    } catch (IOException | UnsupportedOperationException e) {
      // This file system has no direct I/O: by way of the page cache, then.
      direct = null;
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    if (direct != null) {
      writeDirectly(bytes);
    }
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Writes the whole blocks of a buffer. What is left, and all that comes after it, goes by the
   * page cache: it no longer begins on a block's boundary.
   */
  private void writeDirectly(ByteBuffer bytes) throws IOException {
    if (!bytes.isDirect() || bytes.alignmentOffset(bytes.position(), blockBytes) != 0) {
      closeDirect();
      return;
    }
    int limit = bytes.limit();
    long position = channel.position();
    bytes.limit(limit - bytes.remaining() % blockBytes);
    try {
      while (direct != null && bytes.hasRemaining()) {
        int written = direct.write(bytes, position);
        position += written;
        if (written % blockBytes != 0) {
          closeDirect();
        }
      }
    } catch (IOException e) {
      if (!Refusal.isOne(e)) {
        throw e;
      }
      closeDirect();
    } finally {
      channel.position(position);
      bytes.limit(limit);
    }
    if (bytes.hasRemaining()) {
      closeDirect();
    }
  }

  private void closeDirect() throws IOException {
    if (direct != null) {
      FileChannel open = direct;
      direct = null;
      open.close();
    }
  }

  @Override
  public void force() throws IOException {
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    try {
      closeDirect();
    } finally {
      channel.close();
    }
  }

  @Override
  public void abort() throws IOException {
    if (channel != null) {
      try {
        close();
      } finally {
        Files.deleteIfExists(path);
      }
    }
  }
}
