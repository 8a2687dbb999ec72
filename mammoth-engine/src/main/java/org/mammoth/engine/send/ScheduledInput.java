// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import org.mammoth.engine.io.ReadStream;

/** A file read ahead by the I/O scheduler, as a stream. One thread at a time. */
public final class ScheduledInput extends InputStream {

  private final ReadStream stream;
  private final byte[] one = new byte[1];

  /** Reads {@code stream} and closes it with this. */
  public ScheduledInput(ReadStream stream) {
    this.stream = stream;
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    try {
      return stream.read(into, offset, length);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      IOException stopped = new InterruptedIOException("the task was stopped while it read");
      stopped.initCause(e);
      throw stopped;
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
