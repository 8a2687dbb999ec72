// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;

/**
 * The checksums HDFS keeps of a finalized replica. That of a last partial chunk is read at once, as
 * an append rewrites it in place; the others never change.
 *
 * <p>Not thread-safe.
 */
final class ChunkSums implements Closeable {

  private final FileInputStream file;
  private final FileChannel channel;
  private final DataChecksum checksum;
  private final long length;
  private final ByteBuffer lastSum;

  /**
   * @param file of the checksums; closed by {@link #close}, or if this throws
   * @param length of the replica
   * @throws IOException if the file cannot be read or holds no checksums
   */
  ChunkSums(FileInputStream file, long length) throws IOException {
    this.file = file;
    this.length = length;
    try {
      channel = file.getChannel();
      checksum = BlockMetadataHeader.preadHeader(channel).getChecksum();
      if (checksum.getChecksumSize() == 0) {
        throw new IOException("the block was written without checksums");
      }
      long last = length / checksum.getBytesPerChecksum();
      lastSum = length % checksum.getBytesPerChecksum() == 0 ? null : sums(last, 1);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Bytes per checksum. */
  int chunkBytes() {
    return checksum.getBytesPerChecksum();
  }

  private ByteBuffer sums(long firstChunk, int chunks) throws IOException {
    int size = checksum.getChecksumSize();
    ByteBuffer sums = ByteBuffer.allocate(chunks * size);
    long position = BlockMetadataHeader.getHeaderSize() + firstChunk * size;
    while (sums.hasRemaining()) {
      int n = channel.read(sums, position + sums.position());
      if (n < 0) {
        throw new EOFException("the file of checksums ends too early");
      }
    }
    return sums.flip();
  }

  /**
   * Compares bytes with their checksums.
   *
   * @param data whole chunks, or up to the end of the replica; its position is left alone
   * @param offset of the first byte in the replica, a multiple of {@link #chunkBytes}
   * @throws ChecksumException if a byte differs
   * @throws IOException if the checksums cannot be read
   */
  void verify(ByteBuffer data, long offset) throws IOException {
    int chunk = chunkBytes();
    int chunks = (data.remaining() + chunk - 1) / chunk;
    ByteBuffer sums = sums(offset / chunk, chunks);
    if (lastSum != null && offset + data.remaining() == length) {
      sums.duplicate().position(sums.limit() - checksum.getChecksumSize()).put(lastSum.duplicate());
    }
    checksum.verifyChunkedSums(data.duplicate(), sums, "a cached copy", offset);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
