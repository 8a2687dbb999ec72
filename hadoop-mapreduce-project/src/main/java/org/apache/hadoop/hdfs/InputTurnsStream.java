package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.mammoth.mapreduce.buffers.InputReads;

/** A file of HDFS; long reads of this node's DataNode go through an {@link AheadBlockReader}. */
final class InputTurnsStream extends DFSInputStream {

  private final InputReads input;

  InputTurnsStream(
      DFSClient client, String file, boolean verify, LocatedBlocks blocks, InputReads input)
      throws IOException {
    super(client, file, verify, blocks);
    this.input = input;
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
    BlockSource.Opener opener =
        new BlockSource.Opener() {
          @Override
          public BlockReader open(long offset, long bytes) throws IOException {
            return asUpstream(block, offset, bytes, address, storage, node);
          }

          @Override
          public void readChecksumsAhead() {
            ChecksumsAhead.read(dfsClient, block, node);
          }
        };
    return AheadBlockReader.isWorthwhile(from, length) && DFSUtilClient.isLocalAddress(address)
        ? AheadBlockReader.open(opener, src, from, length, input)
        : opener.open(from, length);
  }

  private BlockReader asUpstream(
      LocatedBlock block,
      long offset,
      long length,
      InetSocketAddress address,
      StorageType storage,
      DatanodeInfo node)
      throws IOException {
    return super.getBlockReader(block, offset, length, address, storage, node);
  }
}
