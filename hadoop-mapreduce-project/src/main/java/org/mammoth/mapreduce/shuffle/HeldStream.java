package org.mammoth.mapreduce.shuffle;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.memory.CacheFile;

/** Reads a cache file from its beginning and leaves it as it is. One thread at a time. */
final class HeldStream extends InputStream {

  private final CacheFile memory;
  private final long length;
  private final byte[] one = new byte[1];
  private long position;

  HeldStream(CacheFile memory, long length) {
    this.memory = memory;
    this.length = length;
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int count) throws IOException {
    int wanted = (int) Math.min(count, length - position);
    if (wanted <= 0) {
      return count == 0 ? 0 : -1;
    }
    int read = memory.read(position, into, offset, wanted);
    if (read <= 0) {
      throw new EOFException("what was received is no longer in memory");
    }
    position += read;
    return read;
  }
}
