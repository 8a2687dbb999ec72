// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.FillSource;

/** Reads a real replica for a fill, comparing each chunk with its checksum. */
public final class ReplicaSource implements FillSource {

  private static final int PIECE = 1 << 16;

  private final BlockKey key;
  private final Replicas replicas;

  public ReplicaSource(BlockKey key, Replicas replicas) {
    this.key = key;
    this.replicas = replicas;
  }

  @Override
  public InputStream open() throws IOException {
    if (!stillValid()) {
      throw new IOException("no finalized replica " + key);
    }
    Closeable held = replicas.hold(key);
    try {
      ChunkSums sums = new ChunkSums(replicas.checksums(key), key.length());
      try {
        return new Checked(held, sums, replicas.data(key, 0));
      } catch (IOException | RuntimeException e) {
        sums.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      held.close();
      throw e;
    }
  }

  @Override
  public boolean stillValid() {
    return replicas.finalized(key.pool(), key.blockId()).equals(Optional.of(key));
  }

  /** The replica's bytes in whole chunks; an error where a checksum differs. */
  private final class Checked extends InputStream {

    private final Closeable held;
    private final ChunkSums sums;
    private final InputStream data;
    private final byte[] piece;
    private int next;
    private int end;
    private long offset;

    Checked(Closeable held, ChunkSums sums, InputStream data) {
      this.held = held;
      this.sums = sums;
      this.data = data;
      int chunk = sums.chunkBytes();
      piece = new byte[Math.max(chunk, PIECE - PIECE % chunk)];
    }

    @Override
    public int read() throws IOException {
      return next < end || more() ? piece[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (next == end && !more()) {
        return -1;
      }
      int n = Math.min(length, end - next);
      System.arraycopy(piece, next, into, from, n);
      next += n;
      return n;
    }

    private boolean more() throws IOException {
      int wanted = (int) Math.min(piece.length, key.length() - offset);
      int n = data.readNBytes(piece, 0, wanted);
      if (n < wanted) {
        throw new IOException("replica " + key + " is too short");
      }
      if (n > 0) {
        sums.verify(ByteBuffer.wrap(piece, 0, n), offset);
      }
      offset += n;
      next = 0;
      end = n;
      return n > 0;
    }

    @Override
    public void close() throws IOException {
      try (held;
          sums;
          data) {
        next = 0;
        end = 0;
      }
    }
  }
}
