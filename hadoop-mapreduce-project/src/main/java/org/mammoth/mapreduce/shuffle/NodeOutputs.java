package org.mammoth.mapreduce.shuffle;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.engine.send.SendBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds outputs of maps that ran on this node: in the engine's send buffer, or else, for maps of an
 * earlier engine or of ordinary containers, by their files in the application's local folders.
 */
final class NodeOutputs {

  private static final Logger LOG = LoggerFactory.getLogger(NodeOutputs.class);

  private static final String FILE = "file.out";
  private static final String INDEX = "file.out.index";

  private final SendBuffer sendBuffer;
  private final List<String> localDirs;
  private final JobConf job;
  private final String jobId;

  NodeOutputs(SendBuffer sendBuffer, List<String> localDirs, JobConf job, String jobId) {
    this.sendBuffer = sendBuffer;
    this.localDirs = localDirs;
    this.job = job;
    this.jobId = jobId;
  }

  /** The output of a map attempt, or null if it is not on this node. */
  MapOutput find(String attempt) {
    MapOutput held = sendBuffer.find(jobId, attempt);
    if (held != null) {
      return held;
    }
    File index = locate(attempt, INDEX);
    File file = locate(attempt, FILE);
    if (index == null || file == null) {
      return null;
    }
    try {
      MapOutput found = new MapOutput(jobId, attempt, file.getPath(), read(index), null);
      sendBuffer.publish(found);
      return found;
    } catch (IOException e) {
      LOG.warn("The index of {} on this node can't be read, its server is asked", attempt, e);
      return null;
    }
  }

  private File locate(String attempt, String name) {
    for (String dir : localDirs) {
      File file = new File(dir, "output/" + attempt + "/" + name);
      if (file.isFile()) {
        return file;
      }
    }
    return null;
  }

  private PartitionIndex read(File file) throws IOException {
    SpillRecord record = new SpillRecord(new Path(file.getPath()), job);
    PartitionIndex index = new PartitionIndex(record.size());
    for (int partition = 0; partition < record.size(); partition++) {
      IndexRecord entry = record.getIndex(partition);
      index.set(partition, entry.startOffset, entry.rawLength, entry.partLength);
    }
    return index;
  }
}
