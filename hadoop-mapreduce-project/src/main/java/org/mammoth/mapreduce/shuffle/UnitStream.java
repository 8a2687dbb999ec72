package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.memory.CacheFile;

/**
 * Reads a range of a cache file once and gives each unit back when all of it is read. One thread at
 * a time.
 */
final class UnitStream extends InputStream {

  private final CacheFile memory;
  private final String name;
  private final Closeable owner;
  private final byte[] one = new byte[1];
  private final long end;
  private long position;

  /**
   * Reads the bytes of {@code memory} from {@code from} to {@code to}.
   *
   * @param name of what they are, for errors
   * @param owner closed with this
   */
  UnitStream(CacheFile memory, long from, long to, String name, Closeable owner) {
    this.memory = memory;
    this.position = from;
    this.end = to;
    this.name = name;
    this.owner = owner;
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int count) throws IOException {
    int wanted = (int) Math.min(count, end - position);
    if (wanted <= 0) {
      return count == 0 ? 0 : -1;
    }
    int read = memory.read(position, into, offset, wanted);
    if (read <= 0) {
      throw new IOException("fetched output of " + name + " is no longer in memory");
    }
    memory.discard(position, position + read);
    position += read;
    return read;
  }

  /** Gives back what was not read. */
  void release() {
    memory.discard(position, end);
    position = end;
  }

  @Override
  public void close() throws IOException {
    owner.close();
  }
}
