// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.mammoth.engine.datacache.BlockIdentity;
import org.mammoth.engine.datacache.FileIdentity;
import org.mammoth.engine.datacache.KeptFile;
import org.mammoth.mapreduce.buffers.TaskCache;

/** What the NameNode says of a file, in the data cache's words. */
final class KeptBlocks {

  private KeptBlocks() {}

  static BlockIdentity identity(ExtendedBlock block) {
    return new BlockIdentity(
        block.getBlockPoolId(),
        block.getBlockId(),
        block.getGenerationStamp(),
        block.getNumBytes());
  }

  /** What a file is; null if it is being written, is empty, striped or encrypted. */
  private static FileIdentity identity(LocatedBlocks blocks) {
    LocatedBlock last = blocks.getLastLocatedBlock();
    boolean plain =
        blocks.getErasureCodingPolicy() == null && blocks.getFileEncryptionInfo() == null;
    if (!plain || last == null || blocks.isUnderConstruction() || !blocks.isLastBlockComplete()) {
      return null;
    }
    BlockIdentity block = identity(last.getBlock());
    return new FileIdentity(
        block.pool(), block.block(), block.stamp(), block.length(), blocks.getFileLength());
  }

  /** The file in memory that is being opened; null if there is none. */
  static KeptFile open(TaskCache cache, String path, LocatedBlocks blocks) {
    FileIdentity identity = identity(blocks);
    KeptFile file = identity == null ? null : cache.cache().find(identity, path);
    if (file != null) {
      bind(file, blocks);
    }
    return file;
  }

  /** Notes where blocks are in their file, if it is in memory. */
  static void bind(TaskCache cache, LocatedBlocks blocks) {
    FileIdentity identity = identity(blocks);
    KeptFile file = identity == null ? null : cache.cache().peek(identity);
    if (file != null) {
      bind(file, blocks);
    }
  }

  /** The answer is of one moment, in which the file ended as it did when it was written. */
  private static void bind(KeptFile file, LocatedBlocks blocks) {
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (!block.isCorrupt()) {
        file.bind(identity(block.getBlock()), block.getStartOffset());
      }
    }
  }
}
