// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.mapred.IFileInputStream;
import org.mammoth.engine.sort.SegmentInput;

/** A segment of compressed records, followed by the checksum of the compressed bytes. */
final class CompressedInput implements SegmentInput {

  private final Decompressor decompressor;
  private final InputStream in;
  private boolean closed;

  CompressedInput(CompressionCodec codec, InputStream segment, long length, Configuration conf)
      throws IOException {
    InputStream checked = new IFileInputStream(segment, length, conf);
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
      return in.read(into, offset, length);
    } catch (InternalError e) {
      // what native decompressors throw at damaged data
      throw new IOException("a segment of map output can't be decompressed", e);
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
