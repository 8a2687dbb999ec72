// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file on SSD that goes on in an ordinary directory when it finds no more room there or the SSD
 * fails: what it has moves over, and whoever writes it notices nothing. {@link #path} is where it
 * lies now, final once the file is closed.
 */
final class SsdTarget implements Target {

  private final Target ssd;
  private final Target ordinary;
  private final LocalizedFiles.Lease room;
  private final Consumer<IOException> failed;
  private volatile Target current;
  private long written;

  /**
   * @param room of the file on SSD; closed when the file is there no more
   * @param failed hears of errors of the SSD
   */
  SsdTarget(Target ssd, Target ordinary, LocalizedFiles.Lease room, Consumer<IOException> failed) {
    this.ssd = ssd;
    this.ordinary = ordinary;
    this.room = room;
    this.failed = failed;
    this.current = ssd;
  }

  @Override
  public Path path() {
    return current.path();
  }

  private boolean onSsd() {
    return current == ssd;
  }

  @Override
  public void writeThrough() {
    ordinary.writeThrough();
  }

  @Override
  public void open() throws IOException {
    try {
      ssd.open();
    } catch (IOException e) {
      failed.accept(e);
      moveOver();
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    int from = bytes.position();
    int count = bytes.remaining();
    if (onSsd()) {
      if (room.covers(written + count)) {
        try {
          ssd.write(bytes);
          written += count;
          return;
        } catch (IOException e) {
          failed.accept(e);
          bytes.limit(from + count).position(from);
        }
      }
      moveOver();
    }
    ordinary.write(bytes);
    written += count;
  }

  private void moveOver() throws IOException {
    Path to = ordinary.path();
    Files.createDirectories(to.getParent());
    Files.deleteIfExists(to);
    current = ordinary;
    try {
      ordinary.open();
      copy();
    } finally {
      try {
        ssd.abort();
      } catch (IOException e) {
        failed.accept(e);
      } finally {
        room.close();
      }
    }
  }

  private void copy() throws IOException {
    if (written == 0) {
      return;
    }
    byte[] buffer = new byte[1 << 20];
    try (InputStream in = Files.newInputStream(ssd.path())) {
      for (long left = written; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          throw new IOException(
              ssd.path() + " ends before the " + written + " bytes that were written");
        }
        ordinary.write(ByteBuffer.wrap(buffer, 0, read));
        left -= read;
      }
    }
  }

  @Override
  public void force() throws IOException {
    if (onSsd()) {
      try {
        ssd.force();
        return;
      } catch (IOException e) {
        failed.accept(e);
        moveOver();
      }
    }
    ordinary.force();
  }

  @Override
  public void close() throws IOException {
    if (onSsd()) {
      ssd.close();
      room.settle(written);
    } else {
      ordinary.close();
    }
  }

  @Override
  public void abort() throws IOException {
    try {
      current.abort();
    } finally {
      room.close();
    }
  }
}
