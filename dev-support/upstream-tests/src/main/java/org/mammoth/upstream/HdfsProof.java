// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.mammoth.mapreduce.buffers.TaskBuffers;

/**
 * Writes after each test what ours had to do with it so far, to the file that the system property
 * {@code mammoth.upstream.hdfs} names: opens of blocks that copies on SSD served, and replicas;
 * bytes that came from the data cache, and that were read ahead.
 */
public final class HdfsProof implements TestExecutionListener {

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    String file = System.getProperty("mammoth.upstream.hdfs");
    if (file == null) {
      return;
    }
    long kept = 0;
    long ahead = 0;
    if (TaskBuffers.ofCurrentTask() instanceof ClientBuffers task) {
      kept = task.keptBytes();
      ahead = task.aheadBytes();
    }
    String proof =
        "{\"hits\": %d, \"misses\": %d, \"kept\": %d, \"ahead\": %d}"
            .formatted(PatientCache.HITS.sum(), PatientCache.MISSES.sum(), kept, ahead);
    try {
      Files.writeString(Path.of(file), proof);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
