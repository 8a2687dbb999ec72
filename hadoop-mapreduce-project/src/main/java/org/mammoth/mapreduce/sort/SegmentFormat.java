// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.IFileOutputStream;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.security.IntermediateEncryptedStream;
import org.apache.hadoop.util.ReflectionUtils;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * How a job's segments look in files: upstream's IFile, that is records, in the job's codec if it
 * has one, then a checksum of four bytes, all of it encrypted if the job wants that. One per task;
 * one thread at a time for writing.
 */
public final class SegmentFormat {

  private static final int VERIFY_BYTES = 64 << 10;

  private final JobConf job;
  private final CompressionCodec codec;
  private final int padding;

  /** The format of {@code job}'s map output. */
  public SegmentFormat(JobConf job) throws IOException {
    this.job = job;
    this.padding = CryptoUtils.cryptoPadding(job);
    this.codec =
        job.getCompressMapOutput()
            ? ReflectionUtils.newInstance(job.getMapOutputCompressorClass(DefaultCodec.class), job)
            : null;
  }

  /** Bytes that encryption adds to each segment. */
  public int padding() {
    return padding;
  }

  /** Whether a segment's bytes are its records and a checksum, and nothing more. */
  public boolean isPlain() {
    return codec == null && padding == 0;
  }

  /** Begins a segment on a file. */
  Encoder encode(FSDataOutputStream file, Path path) throws IOException {
    return new Encoder(file, path);
  }

  /** Takes the records of one segment; {@link #close} completes it and leaves the file open. */
  final class Encoder implements AutoCloseable {

    private final FSDataOutputStream file;
    private final FSDataOutputStream encrypted;
    private final IFileOutputStream checked;
    private Compressor compressor;
    private CompressionOutputStream compressed;

    private Encoder(FSDataOutputStream file, Path path) throws IOException {
      this.file = file;
      this.encrypted = IntermediateEncryptedStream.wrapIfNecessary(job, file, false, path);
      this.checked = new IFileOutputStream(encrypted);
      if (codec != null) {
        compressor = CodecPool.getCompressor(codec);
        if (compressor != null) {
          compressor.reset();
          compressed = codec.createOutputStream(checked, compressor);
        }
      }
    }

    OutputStream stream() {
      return compressed == null ? checked : compressed;
    }

    /** Frees the codec of a segment that is given up. */
    void drop() {
      CodecPool.returnCompressor(compressor);
      compressor = null;
    }

    @Override
    public void close() throws IOException {
      try {
        if (compressed != null) {
          compressed.flush();
          compressed.finish();
          compressed.resetState();
        }
        checked.finish();
        if (encrypted != file) {
          encrypted.close();
        }
      } finally {
        drop();
      }
    }
  }

  /**
   * Reads the records of a segment.
   *
   * @param segment its bytes as they are in the file; closed with the result
   * @param length how many they are
   */
  public SegmentInput decode(InputStream segment, long length) throws IOException {
    if (isPlain()) {
      return new ChecksummedInput(segment, length);
    }
    InputStream decrypted = IntermediateEncryptedStream.wrapIfNecessary(job, segment, length, null);
    return decodeDecrypted(decrypted, length - padding);
  }

  /**
   * Reads a segment to its end, where its checksum is compared; closes it.
   *
   * @throws IOException if it can't be read, or is not what was written
   */
  public void verify(InputStream segment, long length) throws IOException {
    try (SegmentInput records = decode(segment, length)) {
      byte[] buffer = new byte[VERIFY_BYTES];
      int read = 0;
      while (read >= 0) {
        read = records.read(buffer, 0, buffer.length);
      }
    }
  }

  /** As {@link #decode}, for a segment that is not encrypted (any more). */
  public SegmentInput decodeDecrypted(InputStream segment, long length) throws IOException {
    return codec == null
        ? new ChecksummedInput(segment, length)
        : new CompressedInput(codec, segment, length, job);
  }
}
