// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputSegment;
import org.mammoth.engine.send.SegmentStream;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.send.TablesLostException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Map outputs of this node for other nodes: from the send buffer, or else from the files in the
 * folders of the job, which this engine was told by the job's own tasks. Any thread.
 */
public final class OutputSource implements SegmentSource {

  private static final Logger LOG = LoggerFactory.getLogger(OutputSource.class);

  /** Looking on all disks for an output that is not known yet. */
  private static final String SEARCH = "search";

  /** Reading back the tables of an output. */
  private static final String TABLES = "tables";

  private static final String OTHER_DISKS = "other disks";

  private final SendBuffer sendBuffer;
  private final ServedJobs jobs;
  private final SegmentStream.FileOpener files;
  private final RangeReads ranges;
  private final JobConf conf;
  private final List<Path> disks;

  /**
   * A source over what is in {@code sendBuffer} and what lies in the folders of {@code jobs}.
   *
   * @param files opens files of map outputs
   * @param ranges reads them without a thread that waits; null to open them by {@code files}
   * @param disks the local directories, each of which is read on its own
   */
  public OutputSource(
      SendBuffer sendBuffer,
      ServedJobs jobs,
      SegmentStream.FileOpener files,
      RangeReads ranges,
      JobConf conf,
      List<Path> disks) {
    this.sendBuffer = sendBuffer;
    this.jobs = jobs;
    this.files = files;
    this.ranges = ranges;
    this.conf = conf;
    this.disks = List.copyOf(disks);
  }

  @Override
  public String waitsFor(String job, String mapAttempt) {
    MapOutput output = sendBuffer.find(job, mapAttempt);
    if (output == null) {
      return SEARCH;
    }
    if (!output.hasTablesInMemory()) {
      return TABLES;
    }
    boolean waits = output.heldBytes() == 0 && !output.isOpen() || !output.isVerified();
    return waits ? diskOf(output) : Readers.MEMORY;
  }

  private String diskOf(MapOutput output) {
    Path file = Path.of(output.file());
    for (Path disk : disks) {
      if (file.startsWith(disk)) {
        return disk.toString();
      }
    }
    return OTHER_DISKS;
  }

  @Override
  public Segment find(String job, String mapAttempt, int partition) throws IOException {
    MapOutput known = sendBuffer.find(job, mapAttempt);
    if (known != null) {
      try {
        return open(known, partition);
      } catch (SegmentUnavailableException e) {
        if (e.reason() != Reason.CHANGED) {
          throw e;
        }
        // The file was replaced; what is there now may be wanted.
        sendBuffer.remove(known);
      } catch (TablesLostException e) {
        LOG.warn("The file's own index is read for {}", mapAttempt, e);
        sendBuffer.remove(known);
      }
    }
    return open(look(job, mapAttempt), partition);
  }

  private MapOutput look(String job, String mapAttempt) throws IOException {
    MapOutput output = OutputFiles.find(job, mapAttempt, jobs.localDirs(job), conf);
    if (output == null) {
      throw new SegmentUnavailableException(
          Reason.NO_SUCH_OUTPUT, "this node has no output of " + mapAttempt);
    }
    sendBuffer.publishIfAbsent(output);
    return output;
  }

  private Segment open(MapOutput output, int partition) throws IOException {
    if (partition < 0 || partition >= output.partitions()) {
      throw new SegmentUnavailableException(
          Reason.NO_SUCH_OUTPUT,
          output.attempt() + " has " + output.partitions() + " partitions, not " + partition);
    }
    return new OutputSegment(output, partition, files, diskOf(output), ranges);
  }
}
