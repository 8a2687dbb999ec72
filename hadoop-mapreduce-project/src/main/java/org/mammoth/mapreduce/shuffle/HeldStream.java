// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.memory.CacheFile;

/** Reads a range of a cache file and leaves it as it is. One thread at a time. */
class HeldStream extends InputStream {

  private final CacheFile memory;
  private final String name;
  private final byte[] one = new byte[1];
  private final long end;
  private long position;

  /**
   * Reads the bytes of {@code memory} from {@code from} to {@code to}.
   *
   * @param name of what they are, for errors
   */
  HeldStream(CacheFile memory, long from, long to, String name) {
    this.memory = memory;
    this.position = from;
    this.end = to;
    this.name = name;
  }

  @Override
  public final int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] into, int offset, int count) throws IOException {
    int wanted = (int) Math.min(count, end - position);
    if (wanted <= 0) {
      return count == 0 ? 0 : -1;
    }
    int read = memory.read(position, into, offset, wanted);
    if (read <= 0) {
      throw new EOFException("fetched output of " + name + " is no longer in memory");
    }
    passed(memory, position, position + read);
    position += read;
    return read;
  }

  /** Called when bytes have been read. */
  void passed(CacheFile memory, long from, long to) {}

  /** Passes what was not read. */
  final void passRest() {
    passed(memory, position, end);
    position = end;
  }
}
