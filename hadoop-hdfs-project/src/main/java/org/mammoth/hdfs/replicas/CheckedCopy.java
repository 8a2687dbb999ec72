// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.ChecksumException;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.SsdReads;

/**
 * A cached copy whose every byte is compared with the replica's own checksums before it leaves, so
 * that a client never sees a byte the SSD got wrong, and never blames the replica for it. After the
 * first difference or error the real replica serves the rest.
 *
 * <p>Bytes still go from the file to the socket without passing the heap a second time; what is
 * added is one look at them in the page cache. Not thread-safe.
 */
final class CheckedCopy implements Closeable {

  private static final int PIECE = 1 << 16;

  private final BlockKey key;
  private final FileInputStream file;
  private final SsdReads.Reader reads;
  private final FileChannel channel;
  private final ChunkSums sums;
  private final Replicas replicas;
  private final LongConsumer served;
  private final Runnable distrusted;
  private final boolean zeroCopy;
  private boolean trusted = true;
  private long checkedFrom;
  private long checkedTo;
  private long heldFrom;
  private long heldTo;
  private ByteBuffer scratch = ByteBuffer.allocate(0);

  private CheckedCopy(
      BlockKey key,
      FileInputStream file,
      SsdReads.Reader reads,
      ChunkSums sums,
      Replicas replicas,
      LongConsumer served,
      Runnable distrusted,
      boolean zeroCopy) {
    this.key = key;
    this.file = file;
    this.reads = reads;
    this.channel = file.getChannel();
    this.sums = sums;
    this.replicas = replicas;
    this.served = served;
    this.distrusted = distrusted;
    this.zeroCopy = zeroCopy;
  }

  /**
   * Begins to serve a copy.
   *
   * @param file the open copy; closed with this, and at once if the answer is empty
   * @param reads is told of each read of the copy; closed as the file is
   * @param served hears how many bytes came from the copy
   * @param distrusted is run when the copy turns out to be bad, or its file cannot be read; not
   *     when the reader is interrupted, or the replica's checksums cannot be read
   * @param zeroCopy whether {@link #transferTo} has the kernel send the pages that were compared,
   *     rather than the compared bytes themselves, which nothing can change any more
   * @return empty if the replica has changed meanwhile or its checksums cannot be had
   */
  static Optional<CheckedCopy> open(
      BlockKey key,
      FileInputStream file,
      SsdReads.Reader reads,
      Replicas replicas,
      LongConsumer served,
      Runnable distrusted,
      boolean zeroCopy)
      throws IOException {
    try {
      ChunkSums sums = new ChunkSums(replicas.checksums(key), key.length());
      // Looked at after the last checksum was read: an append since would have changed both.
      if (replicas.finalized(key.pool(), key.blockId()).equals(Optional.of(key))) {
        return Optional.of(
            new CheckedCopy(key, file, reads, sums, replicas, served, distrusted, zeroCopy));
      }
      sums.close();
    } catch (IOException e) {
      // The replica's own checksums are out of reach; whoever reads the replica will be told so.
      reads.close();
      file.close();
      return Optional.empty();
    }
    reads.close();
    file.close();
    return Optional.empty();
  }

  FileInputStream file() {
    return file;
  }

  FileChannel channel() {
    return channel;
  }

  /** Reads checked bytes; -1 at the end. */
  int read(long position, byte[] into, int offset, int length) throws IOException {
    if (position >= key.length()) {
      return -1;
    }
    int wanted = (int) Math.min(length, key.length() - position);
    if (trusted) {
      ByteBuffer held = held(position, position + wanted);
      if (held != null) {
        int n = held.remaining();
        held.get(into, offset, n);
        served.accept(n);
        return n;
      }
    }
    try (InputStream replica = replicas.data(key, position)) {
      return replica.read(into, offset, wanted);
    }
  }

  /** Sends checked bytes; how many, as {@link FileChannel#transferTo}. */
  long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    long end = Math.min(key.length(), position + count);
    if (position >= end) {
      return 0;
    }
    if (trusted && zeroCopy && check(position, end)) {
      long sent = channel.transferTo(position, end - position, target);
      served.accept(sent);
      return sent;
    }
    ByteBuffer held = trusted && !zeroCopy ? held(position, end) : null;
    if (held != null) {
      int sent = target.write(held);
      served.accept(sent);
      return sent;
    }
    byte[] bytes = new byte[(int) Math.min(PIECE, end - position)];
    try (InputStream replica = replicas.data(key, position)) {
      int n = replica.read(bytes, 0, bytes.length);
      return n <= 0 ? 0 : target.write(ByteBuffer.wrap(bytes, 0, n));
    }
  }

  /** Checked bytes from a position on, at least one and none beyond the end; null on failure. */
  private ByteBuffer held(long position, long end) {
    if (position < heldFrom || position >= heldTo) {
      long start = position - position % sums.chunkBytes();
      ByteBuffer piece = piece(start, end);
      if (piece == null) {
        return null;
      }
    }
    int from = (int) (position - heldFrom);
    int to = (int) (Math.min(end, heldTo) - heldFrom);
    return scratch.duplicate().limit(to).position(from);
  }

  /** Compares a range; false once a byte of the copy was found wrong or could not be read. */
  boolean check(long position, long end) {
    if (position >= checkedFrom && end <= checkedTo) {
      // A socket took part of what was checked and is given the rest.
      return true;
    }
    long start = position - position % sums.chunkBytes();
    while (start < end) {
      ByteBuffer piece = piece(start, end);
      if (piece == null) {
        return false;
      }
      start += piece.remaining();
    }
    checkedFrom = position;
    checkedTo = end;
    return true;
  }

  /** Checked bytes from a chunk's beginning on, at most up to the chunk's end after {@code end}. */
  private ByteBuffer piece(long start, long end) {
    int chunk = sums.chunkBytes();
    int most = Math.max(chunk, PIECE - PIECE % chunk);
    long chunksEnd = Math.min(key.length(), (end + chunk - 1) / chunk * chunk);
    int size = (int) Math.min(most, chunksEnd - start);
    if (scratch.capacity() < size) {
      scratch = ByteBuffer.allocate(size);
    }
    scratch.clear().limit(size);
    heldTo = heldFrom;
    if (!fill(start) || !compare(start)) {
      trusted = false;
      return null;
    }
    heldFrom = start;
    heldTo = start + size;
    return scratch;
  }

  /** Reads the copy; false if that fails. Its channel is closed under a reader who is to end. */
  private boolean fill(long start) {
    reads.begin();
    try {
      while (scratch.hasRemaining()) {
        if (channel.read(scratch, start + scratch.position()) < 0) {
          throw new IOException("the copy is too short");
        }
      }
      scratch.flip();
      return true;
    } catch (ClosedChannelException e) {
      return false;
    } catch (IOException e) {
      distrusted.run();
      return false;
    } finally {
      reads.end();
    }
  }

  /** False if the copy differs, or the replica's checksums cannot be read, for which it is good. */
  private boolean compare(long start) {
    try {
      sums.verify(scratch, start);
      return true;
    } catch (ChecksumException e) {
      distrusted.run();
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    reads.close();
    try {
      sums.close();
    } finally {
      file.close();
    }
  }
}
