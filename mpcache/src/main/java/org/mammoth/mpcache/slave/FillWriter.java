// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Copies one replica into one file, counting and summing. One fill; one thread. */
final class FillWriter {

  private static final int CHUNK = 1 << 16;

  private final long length;
  private final BandwidthLimiter limiter;
  private final CRC32C crc = new CRC32C();

  FillWriter(long length, BandwidthLimiter limiter) {
    this.length = length;
    this.limiter = limiter;
  }

  /**
   * @return FILLED, STALE or SOURCE_FAILED
   * @throws IOException if the file cannot be written
   */
  FillResult copy(FillSource source, SsdFiles files, Path file)
      throws IOException, InterruptedException {
    InputStream in;
    try {
      in = source.open();
    } catch (IOException e) {
      return FillResult.SOURCE_FAILED;
    }
    try (InputStream closing = in;
        OutputStream out = files.create(file)) {
      byte[] chunk = new byte[CHUNK];
      long total = 0;
      for (int n = read(closing, chunk); n >= 0; n = read(closing, chunk)) {
        total += n;
        if (total > length) {
          return FillResult.STALE;
        }
        crc.update(chunk, 0, n);
        limiter.pass(n);
        out.write(chunk, 0, n);
      }
      return total == length ? FillResult.FILLED : FillResult.STALE;
    } catch (SourceError e) {
      return FillResult.SOURCE_FAILED;
    }
  }

  int crc() {
    return (int) crc.getValue();
  }

  private static int read(InputStream in, byte[] chunk) throws SourceError {
    try {
      return in.read(chunk);
    } catch (IOException e) {
      throw new SourceError(e);
    }
  }

  /** Tells an error of the replica's disk from one of the SSD. */
  private static final class SourceError extends IOException {
    SourceError(IOException cause) {
      super(cause);
    }
  }
}
