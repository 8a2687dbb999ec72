// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a DataNode read the file of a block's checksums from one end to the other, by asking it for
 * the sum of these sums. A block that is read in pieces has a new descriptor of that file for each,
 * which the kernel reads 16 to 32 KiB ahead: three visits, hence six seeks, for eight megabytes of
 * the block. The file of a block of 128 MiB is 1 MiB.
 */
final class ChecksumsAhead {

  private static final Logger LOG = LoggerFactory.getLogger(ChecksumsAhead.class);

  private ChecksumsAhead() {}

  /**
   * Asks, and waits until that is done. Who cannot be asked is read from all the same.
   *
   * @throws SocketTimeoutException if it does not answer: it would not answer a read either
   */
  static void read(DFSClient client, LocatedBlock block, DatanodeInfo node)
      throws SocketTimeoutException {
    int timeoutMs = client.getConf().getSocketTimeout();
    try (IOStreamPair pair = client.connectToDN(node, timeoutMs, block.getBlockToken())) {
      DataOutputStream out = new DataOutputStream(pair.out);
      BlockChecksumOptions sum = new BlockChecksumOptions(BlockChecksumType.MD5CRC);
      new Sender(out).blockChecksum(block.getBlock(), block.getBlockToken(), sum);
      BlockOpResponseProto answer =
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(pair.in));
      DataTransferProtoUtil.checkBlockOpStatus(answer, "checksums of " + block.getBlock());
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      LOG.debug("The checksums of {} were not read ahead", block, e);
    }
  }
}
