// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.PartitionIndex;

/**
 * Map outputs as upstream leaves them in an application's local folders: of maps of this engine, of
 * an earlier one, or of ordinary containers.
 */
public final class OutputFiles {

  private static final String FILE = "file.out";
  private static final String INDEX = "file.out.index";

  private OutputFiles() {}

  /**
   * The output of a map attempt, with nothing of it in memory, or null if it is not on this node.
   *
   * @param localDirs the application's folder on each local disk
   * @throws IOException if there is one whose index can't be read
   */
  public static MapOutput find(String job, String attempt, List<String> localDirs, JobConf conf)
      throws IOException {
    File index = locate(localDirs, attempt, INDEX);
    File file = locate(localDirs, attempt, FILE);
    return index == null || file == null
        ? null
        : new MapOutput(job, attempt, file.getPath(), read(index, conf), null, null);
  }

  private static File locate(List<String> localDirs, String attempt, String name) {
    for (String dir : localDirs) {
      File file = new File(dir, "output/" + attempt + "/" + name);
      if (file.isFile()) {
        return file;
      }
    }
    return null;
  }

  private static PartitionIndex read(File file, JobConf conf) throws IOException {
    SpillRecord record = new SpillRecord(new Path(file.getPath()), conf);
    PartitionIndex index = new PartitionIndex(record.size());
    for (int partition = 0; partition < record.size(); partition++) {
      IndexRecord entry = record.getIndex(partition);
      index.set(partition, entry.startOffset, entry.rawLength, entry.partLength);
    }
    return index;
  }
}
