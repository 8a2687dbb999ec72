// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;
import org.mammoth.engine.send.WriteBehindFile;

/** A file for received bytes, written behind; closing it waits until all is on disk. One thread. */
final class ReceivedFile extends OutputStream {

  private final WriteBehindFile behind;
  private final Consumer<WriteBehindFile> written;
  private boolean closed;

  /**
   * A file at its beginning.
   *
   * @param written told when the file is complete
   */
  ReceivedFile(WriteBehindFile behind, Consumer<WriteBehindFile> written) {
    this.behind = behind;
    this.written = written;
  }

  @Override
  public void write(int value) throws IOException {
    behind.write(value);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    behind.write(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      behind.finish();
      written.accept(behind);
    } finally {
      behind.close();
    }
  }
}
