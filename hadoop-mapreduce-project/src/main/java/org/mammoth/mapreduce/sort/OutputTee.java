package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.io.OutputStream;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;

/**
 * Writes map output to its file and, as long as units are to be had at once, into memory too. One
 * thread at a time.
 */
final class OutputTee extends OutputStream {

  private final OutputStream file;
  private CacheFile memory;

  OutputTee(OutputStream file, UnitSource units) {
    this.file = file;
    this.memory = units == null ? null : new CacheFile(units);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    file.write(bytes, offset, length);
    if (memory != null && !memory.tryAppend(bytes, offset, length)) {
      dropMemory();
    }
  }

  @Override
  public void flush() throws IOException {
    file.flush();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** The bytes in memory, all of them, or null; the caller owns them from now on. */
  CacheFile memory() {
    CacheFile whole = memory;
    memory = null;
    if (whole != null) {
      whole.finish();
    }
    return whole;
  }

  void dropMemory() {
    if (memory != null) {
      memory.close();
      memory = null;
    }
  }
}
