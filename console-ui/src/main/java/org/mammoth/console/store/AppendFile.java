// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that grows by whole records. A record that could not be written whole, as on a full disk,
 * is taken back, so that what is written later can be read. One thread at a time.
 */
public final class AppendFile implements Closeable {

  /** Opens files; a test's may be full. */
  interface Disk {
    FileChannel open(Path path, StandardOpenOption... options) throws IOException;

    Disk REAL = FileChannel::open;
  }

  private final FileChannel channel;
  private long length;
  private boolean torn;

  /** Goes on at the end of a file, or begins it. */
  public AppendFile(Path path) throws IOException {
    this(Disk.REAL, path, StandardOpenOption.CREATE);
  }

  AppendFile(Disk disk, Path path, StandardOpenOption creation) throws IOException {
    channel = disk.open(path, creation, StandardOpenOption.WRITE);
    length = channel.size();
  }

  /**
   * Writes a record whole, or leaves the file as it was.
   *
   * @throws IOException if it could not be written; see {@link #torn}
   */
  public void append(ByteBuffer record) throws IOException {
    if (torn) {
      takeBack();
    }
    int size = record.remaining();
    try {
      long at = length;
      while (record.hasRemaining()) {
        at += channel.write(record, at);
      }
      length += size;
    } catch (IOException e) {
      torn = true;
      try {
        takeBack();
      } catch (IOException still) {
        e.addSuppressed(still);
      }
      throw e;
    }
  }

  private void takeBack() throws IOException {
    channel.truncate(length);
    torn = false;
  }

  /** Whether a part of a record is at its end and could not be taken back yet. */
  public boolean torn() {
    return torn;
  }

  /** Puts what was written on the disk itself. */
  public void force() throws IOException {
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
