// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputPart;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.send.TablesLostException;
import org.mammoth.mapreduce.transfer.OutputFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds outputs of maps that ran on this node: in the engine's send buffer, or else, for maps of an
 * earlier engine or of ordinary containers, by their files in the application's local folders.
 */
final class NodeOutputs {

  private static final Logger LOG = LoggerFactory.getLogger(NodeOutputs.class);

  private final SendBuffer sendBuffer;
  private final List<String> localDirs;
  private final JobConf job;
  private final String jobId;
  private final int partition;

  /** Outputs of the maps of {@code jobId}, for the reduce of {@code partition}. */
  NodeOutputs(
      SendBuffer sendBuffer, List<String> localDirs, JobConf job, String jobId, int partition) {
    this.sendBuffer = sendBuffer;
    this.localDirs = localDirs;
    this.job = job;
    this.jobId = jobId;
    this.partition = partition;
  }

  /** An output, and where the reduce's part of it lies, which nobody has to look up again. */
  record Found(MapOutput output, OutputPart part) {}

  /** The output of a map attempt, or null if it is not on this node or its index can't be read. */
  Found find(String attempt) {
    MapOutput held = sendBuffer.find(jobId, attempt);
    if (held != null) {
      try {
        // Its checksums, too: it is taken for verified, and a reduce that misses them later fails.
        held.readTables();
        return new Found(held, held.part(partition));
      } catch (TablesLostException e) {
        LOG.warn("The file's own index is read for {}", attempt, e);
        sendBuffer.remove(held);
      }
    }
    try {
      MapOutput output = OutputFiles.find(jobId, attempt, localDirs, job);
      if (output == null) {
        return null;
      }
      Found found = new Found(output, output.part(partition));
      sendBuffer.publishIfAbsent(output);
      return found;
    } catch (IOException e) {
      LOG.warn("The index of {} on this node can't be read, its server is asked", attempt, e);
      return null;
    }
  }
}
