// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.util.IOUtilsClient;
import org.mammoth.engine.datacache.KeptFile;
import org.mammoth.mapreduce.buffers.InputReads;
import org.mammoth.mapreduce.buffers.TaskCache;

/**
 * A file of HDFS whose blocks are read from the data cache where they are in it; long reads of this
 * node's DataNode go through an {@link AheadBlockReader} where disks take turns. Short reads take
 * what a {@link BufferedBlockReader} has at hand: upstream asks the clock twice for each, makes two
 * objects and takes four locks, an eighth of what a TeraSort took of an engine. All else, from
 * seeking to statistics, is upstream's.
 *
 * <p>Not final, as upstream's tests spy on their streams.
 */
class EngineInputStream extends DFSInputStream {

  /** Null where input does not take turns. */
  private final InputReads input;

  /** Null if the file is not in memory. */
  private final KeptFile kept;

  private final TaskCache cache;

  /** Of the block that was read last in sequence. Guarded by this, as upstream's own is. */
  private BufferedBlockReader current;

  EngineInputStream(
      DFSClient client,
      String file,
      boolean verify,
      LocatedBlocks blocks,
      InputReads input,
      KeptFile kept,
      TaskCache cache)
      throws IOException {
    super(client, file, verify, blocks);
    this.input = input;
    this.kept = kept;
    this.cache = cache;
  }

  @Override
  public synchronized int read(byte[] into, int offset, int length) throws IOException {
    boolean inArray = length > 0 && offset >= 0 && offset <= into.length - length;
    if (!inArray || !isAtHand(length)) {
      return super.read(into, offset, length);
    }
    current.take(into, offset, length);
    count(length);
    return length;
  }

  @Override
  public synchronized int read() throws IOException {
    if (!isAtHand(1)) {
      return super.read();
    }
    int value = current.take();
    count(1);
    return value;
  }

  /**
   * A reader that was closed has nothing, one that was left by a seek is elsewhere, and none has
   * anything beyond {@link #end}.
   */
  private boolean isAtHand(int length) throws IOException {
    if (current == null || length > current.buffered() || current.position() != pos) {
      return false;
    }
    dfsClient.checkOpen();
    return true;
  }

  private void count(int bytes) {
    pos += bytes;
    IOUtilsClient.updateReadStatistics(readStatistics, bytes, current);
    FileSystemReads.count(dfsClient, current.getNetworkDistance(), bytes);
  }

  /**
   * A reader that stands elsewhere than the stream is replaced, not read on. Upstream's seeks see
   * to that themselves; this is for whatever else there may be, so that no byte can be wrong.
   */
  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    if (current != null && current.position() != pos) {
      blockEnd = -1;
    }
    return super.readWithStrategy(strategy);
  }

  /** A read at a position, whose reader is not the one in sequence, also if the lock is held. */
  @Override
  protected void fetchBlockByteRange(
      LocatedBlock block, long from, long to, ByteBuffer into, DFSUtilClient.CorruptedBlocks bad)
      throws IOException {
    if (!Thread.holdsLock(this)) {
      super.fetchBlockByteRange(block, from, to, into, bad);
      return;
    }
    synchronized (this) {
      BufferedBlockReader sequential = current;
      try {
        super.fetchBlockByteRange(block, from, to, into, bad);
      } finally {
        current = sequential;
      }
    }
  }

  @Override
  protected BlockReader getBlockReader(
      LocatedBlock block,
      long from,
      long length,
      InetSocketAddress address,
      StorageType storage,
      DatanodeInfo node)
      throws IOException {
    BlockReader reader = fromAnywhere(block, from, length, address, storage, node);
    // Upstream reads in sequence with its lock held.
    if (!Thread.holdsLock(this)) {
      return reader;
    }
    synchronized (this) {
      current = new BufferedBlockReader(reader, block.getStartOffset() + from, this::end);
      return current;
    }
  }

  /**
   * Where upstream's own reads of the current block end. The block may be longer than that: a
   * snapshot's last one is as long as the file is now, and one that is read past the DataNode grows
   * under its reader when somebody appends.
   */
  private long end() {
    return Math.min(blockEnd + 1, getFileLength());
  }

  private BlockReader fromAnywhere(
      LocatedBlock block,
      long from,
      long length,
      InetSocketAddress address,
      StorageType storage,
      DatanodeInfo node)
      throws IOException {
    BlockSource.Opener datanode =
        (offset, bytes) -> fromDataNode(block, offset, bytes, address, storage, node);
    long start = kept == null ? -1 : kept.offsetOf(KeptBlocks.identity(block.getBlock()));
    if (start < 0 || !kept.has(start + from)) {
      // Opened here and not when it is read: upstream tries other nodes, and again, only here.
      return datanode.open(from, length);
    }
    int distance = dfsClient.getClientContext().getNetworkDistance(node);
    return new KeptBlockReader(kept, start, from, length, datanode, distance, cache::read);
  }

  private BlockReader fromDataNode(
      LocatedBlock block,
      long from,
      long length,
      InetSocketAddress address,
      StorageType storage,
      DatanodeInfo node)
      throws IOException {
    BlockSource.Opener opener =
        new BlockSource.Opener() {
          @Override
          public BlockReader open(long offset, long bytes) throws IOException {
            return asUpstream(block, offset, bytes, address, storage, node);
          }

          @Override
          public void readChecksumsAhead() throws IOException {
            ChecksumsAhead.read(dfsClient, block, node);
          }
        };
    boolean inTurns =
        input != null
            && AheadBlockReader.isWorthwhile(from, length, input)
            && !isInMemory(block, node)
            && DFSUtilClient.isLocalAddress(address);
    return inTurns
        ? AheadBlockReader.open(opener, src, from, length, input)
        : opener.open(from, length);
  }

  /** Whether a DataNode keeps a block in memory, so that reading it takes no disk. */
  static boolean isInMemory(LocatedBlock block, DatanodeInfo node) {
    return Arrays.asList(block.getCachedLocations()).contains(node);
  }

  private BlockReader asUpstream(
      LocatedBlock block,
      long offset,
      long length,
      InetSocketAddress address,
      StorageType storage,
      DatanodeInfo node)
      throws IOException {
    return SharedReplicas.keptOpen(
        super.getBlockReader(block, offset, length, address, storage, node));
  }
}
