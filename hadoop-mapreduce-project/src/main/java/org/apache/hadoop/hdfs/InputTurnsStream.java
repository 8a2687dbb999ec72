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
        (offset, bytes) -> super.getBlockReader(block, offset, bytes, address, storage, node);
    return AheadBlockReader.isWorthwhile(from, length) && DFSUtilClient.isLocalAddress(address)
        ? AheadBlockReader.open(opener, src, from, length, input)
        : opener.open(from, length);
  }
}
