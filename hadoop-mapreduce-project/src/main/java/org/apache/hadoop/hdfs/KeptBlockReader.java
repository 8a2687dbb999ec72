// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;
import org.mammoth.engine.datacache.KeptFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of a block that lies in the data cache. Where its memory has been given to somebody else,
 * a reader goes on at the DataNode, and does not notice: if that fails, upstream's stream opens the
 * block anew, as after any error while it reads. One thread at a time, {@link #close} any.
 */
final class KeptBlockReader extends SerialBlockReader {

  private static final Logger LOG = LoggerFactory.getLogger(KeptBlockReader.class);

  private final KeptFile file;

  /** Where the block begins in the file. */
  private final long block;

  private final BlockSource.Opener datanode;
  private final int distance;
  private final LongConsumer count;
  private long at;

  /** Null while memory has it. */
  private BlockReader rest;

  /** False once it is known that this process may not map the block's file. */
  private boolean mayMap = true;

  /**
   * @param block where the block begins in the file
   * @param from where the part begins in the block
   * @param datanode reads what is not in memory
   * @param distance of the DataNode that would have been asked, for statistics
   * @param count is told of bytes that came from memory
   */
  KeptBlockReader(
      KeptFile file,
      long block,
      long from,
      long length,
      BlockSource.Opener datanode,
      int distance,
      LongConsumer count) {
    super("the data cache", length);
    this.file = file;
    this.block = block;
    this.at = from;
    this.datanode = datanode;
    this.distance = distance;
    this.count = count;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    if (length == 0) {
      return 0;
    }
    int wanted = (int) Math.min(length, left);
    int done = rest == null ? file.read(block + at, into, offset, wanted) : -1;
    return done > 0 ? fromMemory(done) : advance(rest().read(into, offset, wanted));
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (left == 0) {
      return -1;
    }
    if (!into.hasRemaining()) {
      return 0;
    }
    int limit = into.limit();
    into.limit((int) Math.min(limit, into.position() + left));
    try {
      int done = rest == null ? file.read(block + at, into) : -1;
      return done > 0 ? fromMemory(done) : advance(rest().read(into));
    } finally {
      into.limit(limit);
    }
  }

  private BlockReader rest() throws IOException {
    if (rest == null) {
      rest = datanode.open(at, left);
    }
    return rest;
  }

  private int fromMemory(int done) {
    count.accept(done);
    return advance(done);
  }

  private int advance(int done) {
    if (done > 0) {
      at += done;
      left -= done;
    }
    return done;
  }

  @Override
  public long skip(long wanted) throws IOException {
    long skipped = rest == null ? Math.max(0, Math.min(wanted, left)) : rest.skip(wanted);
    at += skipped;
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() {
    return rest == null ? super.available() : rest.available();
  }

  /**
   * Memory of the block's file, where this process may read it: what the cache has may go while its
   * reader still looks at it.
   */
  @Override
  public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
    if (!mayMap || left == 0) {
      return null;
    }
    if (rest != null) {
      return rest.getClientMmap(options);
    }
    try {
      BlockReader opened = datanode.open(at, left);
      ClientMmap mapped = opened.isShortCircuit() ? opened.getClientMmap(options) : null;
      mayMap = mapped != null;
      if (mayMap) {
        rest = opened;
      } else {
        opened.close();
      }
      return mapped;
    } catch (IOException e) {
      LOG.debug("A block in memory is not mapped", e);
      return null;
    }
  }

  @Override
  public boolean isShortCircuit() {
    return rest != null && rest.isShortCircuit();
  }

  /** Memory has none. */
  @Override
  public DataChecksum getDataChecksum() {
    return DataChecksum.newDataChecksum(DataChecksum.Type.NULL, 512);
  }

  @Override
  public int getNetworkDistance() {
    return rest == null ? distance : rest.getNetworkDistance();
  }

  @Override
  public void close() throws IOException {
    if (rest != null) {
      rest.close();
    }
  }
}
