package org.mammoth.engine.send;

import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.memory.UnitSource;

/**
 * The bytes of one partition of a map output, from memory as far as they are there, else from the
 * file. It may change over at any byte, when memory is revoked. One thread at a time.
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
  private InputStream file;
  private boolean closed;

  /**
   * Opens a partition.
   *
   * @param reduce what the reduce's memory is charged to
   */
  public SegmentStream(MapOutput output, int partition, UnitSource reduce, FileOpener files) {
    this.output = output;
    this.files = files;
    this.position = output.index().start(partition);
    this.end = position + output.index().partLength(partition);
    this.owned = output.take(partition, reduce);
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
      if (file == null) {
        file = output.openFile(files, position, end - position);
      }
      read = file.read(into, offset, wanted);
      if (read < 0) {
        throw new IOException(
            "map output "
                + output.file()
                + " ends at byte "
                + position
                + ", its index says "
                + end);
      }
      fileBytes += read;
    }
    advance(read);
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
