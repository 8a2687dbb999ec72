// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.ChecksumException;
import org.mammoth.engine.sort.merge.SegmentInput;

/** A segment of plain records, followed by the CRC32 of their bytes. */
final class ChecksummedInput implements SegmentInput {

  private static final int CHECKSUM_BYTES = 4;

  private final InputStream in;
  private final CRC32 sum = new CRC32();
  private long left;

  ChecksummedInput(InputStream in, long length) {
    this.in = in;
    this.left = length - CHECKSUM_BYTES;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left < 0) {
      return -1;
    }
    if (left == 0) {
      check();
      return -1;
    }
    int read = in.read(into, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException("a segment of map output is " + left + " bytes too short");
    }
    sum.update(into, offset, read);
    left -= read;
    return read;
  }

  private void check() throws IOException {
    left = -1;
    byte[] stored = in.readNBytes(CHECKSUM_BYTES);
    long expected = 0;
    for (byte each : stored) {
      expected = expected << 8 | each & 0xff;
    }
    if (stored.length < CHECKSUM_BYTES || expected != sum.getValue()) {
      throw new ChecksumException("a segment of map output does not match its checksum", 0);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
