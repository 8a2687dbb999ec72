// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.memory.UnitSource;

/**
 * The bytes of one partition of a map output, from memory as far as they are there, and where they
 * are not, from the file. Memory may be revoked at any byte. One thread at a time.
 */
public final class SegmentStream extends InputStream {

  /** Opens the files that are needed. */
  public interface FileOpener {

    /** Opens a range of the file at {@code path} for reading. */
    InputStream open(String path, long from, long length) throws IOException;
  }

  private final MapOutput output;
  private final FileOpener files;
  private final boolean owned;
  private final long end;
  private final byte[] one = new byte[1];
  private long position;
  private long memoryBytes;
  private long fileBytes;

  /** Open while what is not in memory is read; {@link #fileEnd} is where that ends. */
  private InputStream file;

  private long fileEnd;
  private boolean closed;

  /**
   * Opens a partition.
   *
   * @param part where it lies
   * @param reduce what the reduce's memory is charged to
   */
  public SegmentStream(
      MapOutput output, int partition, OutputPart part, UnitSource reduce, FileOpener files) {
    this.output = output;
    this.files = files;
    this.position = part.start();
    this.end = part.end();
    this.owned = output.take(partition, part, reduce);
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
    int read = file == null ? output.read(position, into, offset, wanted) : -1;
    if (read >= 0) {
      memoryBytes += read;
    } else {
      read = readFile(into, offset, wanted);
      fileBytes += read;
    }
    advance(read);
    if (file != null && position == fileEnd) {
      file.close();
      file = null;
    }
    return read;
  }

  private int readFile(byte[] into, int offset, int wanted) throws IOException {
    if (file == null) {
      fileEnd = output.nextInMemory(position, end);
      file = output.openFile(files, position, fileEnd - position);
    }
    int read = file.read(into, offset, (int) Math.min(wanted, fileEnd - position));
    if (read < 0) {
      throw new IOException(
          "map output " + output.file() + " ends at byte " + position + ", its index says " + end);
    }
    return read;
  }

  /** Bytes that were read from memory so far. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Bytes that were read from the file so far. */
  public long fileBytes() {
    return fileBytes;
  }

  private void advance(int bytes) {
    if (owned) {
      output.used(position, bytes);
    }
    position += bytes;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    while (position < end) {
      advance((int) Math.min(Integer.MAX_VALUE, end - position));
    }
    if (file != null) {
      file.close();
    }
  }
}
