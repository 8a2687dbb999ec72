package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.memory.CacheFile;

/** Reads a cache file once and gives each unit back when it is read. One thread at a time. */
final class UnitStream extends InputStream {

  private final CacheFile memory;
  private final String name;
  private final Closeable owner;
  private final byte[] one = new byte[1];
  private long position;

  /**
   * Reads {@code memory} from its start.
   *
   * @param name of what it holds, for errors
   * @param owner closed with this
   */
  UnitStream(CacheFile memory, String name, Closeable owner) {
    this.memory = memory;
    this.name = name;
    this.owner = owner;
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int count) throws IOException {
    int read = memory.read(position, into, offset, count);
    if (read < 0) {
      throw new IOException("fetched output of " + name + " is no longer in memory");
    }
    if (read == 0) {
      return count == 0 ? 0 : -1;
    }
    memory.discard(position, position + read);
    position += read;
    return read;
  }

  @Override
  public void close() throws IOException {
    owner.close();
  }
}
