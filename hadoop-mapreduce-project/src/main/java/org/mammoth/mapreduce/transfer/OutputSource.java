package org.mammoth.mapreduce.transfer;

import java.io.IOException;
import org.apache.hadoop.mapred.JobConf;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputSegment;
import org.mammoth.engine.send.SegmentStream;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;

/**
 * Map outputs of this node for other nodes: from the send buffer, or else from the files in the
 * folders of the job, which this engine was told by the job's own tasks. Any thread.
 */
public final class OutputSource implements SegmentSource {

  private final SendBuffer sendBuffer;
  private final ServedJobs jobs;
  private final SegmentStream.FileOpener files;
  private final JobConf conf;

  /**
   * A source over what is in {@code sendBuffer} and what lies in the folders of {@code jobs}.
   *
   * @param files opens files of map outputs
   */
  public OutputSource(
      SendBuffer sendBuffer, ServedJobs jobs, SegmentStream.FileOpener files, JobConf conf) {
    this.sendBuffer = sendBuffer;
    this.jobs = jobs;
    this.files = files;
    this.conf = conf;
  }

  @Override
  public Segment find(String job, String mapAttempt, int partition) throws IOException {
    MapOutput output = sendBuffer.find(job, mapAttempt);
    if (output == null) {
      output = OutputFiles.find(job, mapAttempt, jobs.localDirs(job), conf);
      if (output == null) {
        throw new SegmentUnavailableException(
            Reason.NO_SUCH_OUTPUT, "this node has no output of " + mapAttempt);
      }
      sendBuffer.publishIfAbsent(output);
    }
    if (partition < 0 || partition >= output.index().partitions()) {
      throw new SegmentUnavailableException(
          Reason.NO_SUCH_OUTPUT,
          mapAttempt + " has " + output.index().partitions() + " partitions, not " + partition);
    }
    return new OutputSegment(output, partition, files);
  }
}
