// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.SsdReads;

/**
 * A checked copy as the kind of stream the DataNode sends without copying. Its position is that of
 * the descriptor. Not thread-safe.
 */
public final class CopyStream extends FileInputStream {

  private final CheckedCopy copy;
  private final CopyChannel channel;

  private CopyStream(CheckedCopy copy) throws IOException {
    super(copy.file().getFD());
    this.copy = copy;
    this.channel = new CopyChannel(copy);
  }

  /**
   * Begins to serve a copy.
   *
   * @param file the open copy, standing where the reader begins; closed with this stream, and at
   *     once if the answer is empty
   * @param reads is told of each read of the copy; closed as the file is
   * @param served hears how many bytes came from the copy
   * @param distrusted is run when the copy turns out to be bad
   * @param zeroCopy whether the kernel sends the pages that were compared, or this the bytes
   * @return empty if the replica has changed meanwhile or its checksums cannot be had
   */
  public static Optional<FileInputStream> open(
      BlockKey key,
      FileInputStream file,
      SsdReads.Reader reads,
      Replicas replicas,
      LongConsumer served,
      Runnable distrusted,
      boolean zeroCopy)
      throws IOException {
    Optional<CheckedCopy> copy =
        CheckedCopy.open(key, file, reads, replicas, served, distrusted, zeroCopy);
    return copy.isEmpty() ? Optional.empty() : Optional.of(new CopyStream(copy.get()));
  }

  /**
   * Compares all of a copy with the replica's checksums.
   *
   * @param file the open copy; closed by this
   * @param reads is told of each read of the copy; closed by this
   * @param distrusted is run when the copy turns out to be bad
   * @return false also if the replica has changed meanwhile or its checksums cannot be had
   */
  public static boolean isWhole(
      BlockKey key,
      FileInputStream file,
      SsdReads.Reader reads,
      Replicas replicas,
      Runnable distrusted)
      throws IOException {
    Optional<CheckedCopy> opened =
        CheckedCopy.open(key, file, reads, replicas, served -> {}, distrusted, false);
    if (opened.isEmpty()) {
      return false;
    }
    try (CheckedCopy copy = opened.get()) {
      return copy.check(0, key.length());
    }
  }

  @Override
  public FileChannel getChannel() {
    return channel;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into) throws IOException {
    return read(into, 0, into.length);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    long position = channel.position();
    int n = copy.read(position, into, offset, length);
    if (n > 0) {
      channel.position(position + n);
    }
    return n;
  }

  @Override
  public byte[] readAllBytes() throws IOException {
    return readNBytes(Integer.MAX_VALUE);
  }

  @Override
  public byte[] readNBytes(int length) throws IOException {
    long left = Math.max(0, channel.size() - channel.position());
    byte[] bytes = new byte[(int) Math.min(length, left)];
    int total = 0;
    for (int n = 0; total < bytes.length && n >= 0; total += Math.max(n, 0)) {
      n = read(bytes, total, bytes.length - total);
    }
    return total == bytes.length ? bytes : java.util.Arrays.copyOf(bytes, total);
  }

  @Override
  public void close() throws IOException {
    try {
      copy.close();
    } finally {
      super.close();
    }
  }
}
