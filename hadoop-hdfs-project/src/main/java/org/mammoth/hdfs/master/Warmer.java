// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.mammoth.mpcache.master.MasterState;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Finds the blocks below a path and spreads them over the slaves that have a replica. It uses the
 * NameNode's client calls, so that the caller's permissions count. Safe for any thread.
 */
final class Warmer {

  /** The most blocks one request takes. */
  static final int MAX_BLOCKS = 100_000;

  /**
   * What a request came to.
   *
   * @param blocks blocks handed to slaves
   * @param bytes their length
   * @param withoutSlave blocks of which no reporting slave has a replica
   * @param more whether there were too many for one request
   */
  record Warmed(long blocks, long bytes, long withoutSlave, boolean more) {}

  private final NameNode nameNode;
  private final ActiveMaster master;
  private final AtomicLong requests = new AtomicLong();

  Warmer(NameNode nameNode, ActiveMaster master) {
    this.nameNode = nameNode;
    this.master = master;
  }

  Warmed warm(String path, MasterState state) throws IOException {
    HdfsFileStatus top = nameNode.getRpcServer().getFileInfo(path);
    if (top == null) {
      throw new FileNotFoundException("there is no " + path + " to be cached");
    }
    Request request = new Request();
    Deque<String> directories = new ArrayDeque<>();
    if (top.isDirectory()) {
      directories.add(path);
    } else {
      request.file(path, top);
    }
    while (!directories.isEmpty() && !request.full()) {
      list(directories.removeFirst(), directories, request);
    }
    String name = "warm-" + requests.incrementAndGet();
    request.bySlave.forEach((slave, keys) -> state.warm(slave, keys, name));
    return new Warmed(request.blocks, request.bytes, request.withoutSlave, request.full());
  }

  private void list(String directory, Deque<String> directories, Request request)
      throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    while (after != null && !request.full()) {
      DirectoryListing listing = nameNode.getRpcServer().getListing(directory, after, false);
      if (listing == null) {
        return;
      }
      for (HdfsFileStatus child : listing.getPartialListing()) {
        String path = child.getFullName(directory);
        if (child.isDirectory()) {
          directories.addLast(path);
        } else {
          request.file(path, child);
        }
      }
      after = listing.hasMore() ? listing.getLastName() : null;
    }
  }

  /** One request; one thread. */
  private final class Request {

    final Map<String, List<BlockKey>> bySlave = new HashMap<>();
    final Map<String, Long> load = new HashMap<>();
    long blocks;
    long bytes;
    long withoutSlave;

    boolean full() {
      return blocks + withoutSlave >= MAX_BLOCKS;
    }

    void file(String path, HdfsFileStatus status) throws IOException {
      if (full() || status.isSymlink() || status.getErasureCodingPolicy() != null) {
        return;
      }
      var located = nameNode.getRpcServer().getBlockLocations(path, 0, Long.MAX_VALUE);
      if (located == null) {
        return;
      }
      for (LocatedBlock block : located.getLocatedBlocks()) {
        String slave = leastLoaded(block);
        ExtendedBlock replica = block.getBlock();
        if (slave == null) {
          withoutSlave++;
          continue;
        }
        blocks++;
        bytes += replica.getNumBytes();
        load.merge(slave, replica.getNumBytes(), Long::sum);
        bySlave
            .computeIfAbsent(slave, name -> new ArrayList<>())
            .add(
                new BlockKey(
                    replica.getBlockPoolId(),
                    replica.getBlockId(),
                    replica.getGenerationStamp(),
                    replica.getNumBytes()));
      }
    }

    private String leastLoaded(LocatedBlock block) {
      String best = null;
      for (DatanodeInfo node : block.getLocations()) {
        String slave = node.getHostName() + ":" + node.getXferPort();
        if (master.knows(slave)
            && (best == null || load.getOrDefault(slave, 0L) < load.getOrDefault(best, 0L))) {
          best = slave;
        }
      }
      return best;
    }
  }
}
