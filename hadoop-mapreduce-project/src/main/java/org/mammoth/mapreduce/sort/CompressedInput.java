// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.mapred.IFileInputStream;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * A segment of compressed records, followed by the checksum of the compressed bytes, which is
 * compared when the last record was read. Closed before that, it reads nothing more.
 */
final class CompressedInput implements SegmentInput {

  private final Decompressor decompressor;
  private final InputStream checked;
  private final InputStream in;
  private boolean closed;

  CompressedInput(CompressionCodec codec, InputStream segment, long length, Configuration conf)
      throws IOException {
    checked = new Checked(new IFileInputStream(segment, length, conf), segment);
    decompressor = CodecPool.getDecompressor(codec);
    if (decompressor == null) {
      // as in upstream's IFile: without a compressor its writer has left the records plain
      in = checked;
      return;
    }
    decompressor.reset();
    in = codec.createInputStream(checked, decompressor);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    try {
      int read = in.read(into, offset, length);
      if (read < 0) {
        // A decompressor may leave bytes behind the last record.
        checked.transferTo(OutputStream.nullOutputStream());
      }
      return read;
    } catch (InternalError e) {
      // what native decompressors throw at damaged data
      throw new IOException("a segment of map output can't be decompressed", e);
    }
  }

  /**
   * Upstream's stream reads to its end when it is closed, wherever that is and whatever it costs.
   */
  private static final class Checked extends FilterInputStream {
    private final InputStream segment;

    Checked(IFileInputStream in, InputStream segment) {
      super(in);
      this.segment = segment;
    }

    @Override
    public void close() throws IOException {
      segment.close();
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      in.close();
    } finally {
      CodecPool.returnDecompressor(decompressor);
    }
  }
}
