// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.mammoth.engine.io.Source;

/**
 * A part of a block, asked for in pieces of one burst each, so that the DataNode reads no more in a
 * turn than the turn is for. Threads as of {@link Source}; {@link #failure} is for any.
 */
final class BlockSource implements Source {

  /** Asks a DataNode for a part of a block. */
  interface Opener {

    /** Opens {@code length} bytes from {@code offset} of the block. */
    BlockReader open(long offset, long length) throws IOException;

    /**
     * Has it read the checksums of the whole block, which many pieces will be asked for.
     *
     * @throws IOException only if it does not answer, so that nobody waits for it once more
     */
    default void readChecksumsAhead() throws IOException {}
  }

  /** Of how many pieces a part must be for its block's checksums to be read first. */
  private static final int MANY = 3;

  /**
   * In no local directory: an error of a DataNode is none of theirs. A file's name in HDFS is no
   * local path: the JVM's locale may not be able to write it.
   */
  private final Path path = Path.of("/hdfs:block");

  private final Opener opener;
  private final String file;
  private final long start;
  private final long length;
  private final long burst;
  private BlockReader reader;
  private long left;
  private boolean begun;
  private volatile IOException failure;

  /**
   * @param file of HDFS that the block belongs to
   * @param start where the part begins in the block
   * @param burst bytes of one piece
   */
  BlockSource(Opener opener, String file, long start, long length, long burst) {
    this.opener = opener;
    this.file = file;
    this.start = start;
    this.length = length;
    this.burst = burst;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public int read(long position, ByteBuffer into) throws IOException {
    try {
      return readPiece(position, into);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private int readPiece(long position, ByteBuffer into) throws IOException {
    if (!begun && length >= MANY * burst) {
      opener.readChecksumsAhead();
    }
    begun = true;
    if (reader == null) {
      left = Math.min(burst, length - position);
      reader = opener.open(start + position, left);
    }
    int limit = into.limit();
    into.limit((int) Math.min(limit, into.position() + left));
    int count;
    try {
      count = reader.read(into);
    } finally {
      into.limit(limit);
    }
    if (count < 0) {
      throw new EOFException(
          file + ": the DataNode sent " + left + " bytes less than it was asked for");
    }
    left -= count;
    if (left == 0) {
      close();
    }
    return count;
  }

  /** What went wrong, as upstream's reader threw it; null if nothing did. */
  IOException failure() {
    return failure;
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      BlockReader open = reader;
      reader = null;
      open.close();
    }
  }
}
