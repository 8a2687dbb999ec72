// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputFile;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.sort.Run;
import org.mammoth.engine.sort.RunStore;
import org.mammoth.mapreduce.buffers.AttemptFiles;

/**
 * The sort buffer of one map: runs stay in memory while the scheduler lends units for them, and
 * otherwise go to spill files in the job's format. One thread at a time.
 */
final class SpillRuns implements RunStore {

  /** What a partition takes beside its records, as upstream reckons. */
  private static final int PARTITION_BYTES = 150;

  private final JobConf job;
  private final FileSystem files;
  private final MapOutputFile names;
  private final SegmentFormat format;
  private final UnitSource units;
  private final AttemptFiles attempt;
  private final Counter spilledRecords;
  private int spills;

  /** Of all runs that are complete, as they lie in memory and in files. */
  private long bytes;

  SpillRuns(
      JobConf job,
      FileSystem files,
      MapOutputFile names,
      SegmentFormat format,
      UnitSource units,
      AttemptFiles attempt,
      Counter spilledRecords) {
    this.job = job;
    this.files = files;
    this.names = names;
    this.format = format;
    this.units = units;
    this.attempt = attempt;
    this.spilledRecords = spilledRecords;
  }

  @Override
  public Writer create(int segments) {
    return new RunWriter(segments);
  }

  /** Files that were spilled so far. */
  int spills() {
    return spills;
  }

  /**
   * Bytes that a disk should have free for the map's output. A combiner and a codec have made less
   * of what is in runs than was collected, perhaps less than any disk has free.
   *
   * @param collected bytes of all keys and values
   * @param inMemory bytes of memory that hold what is in no run
   */
  long outputSize(long collected, long inMemory, int partitions) {
    return Math.min(collected, bytes + inMemory) + (long) partitions * PARTITION_BYTES;
  }

  /** Begins in memory; moves to a file with what it has when units run out. */
  private final class RunWriter implements Writer {

    private final int segments;
    private final MemoryRun memory;
    private final List<Long> counts = new ArrayList<>();
    private MapOutputWriter file;
    private int current;
    private boolean finished;

    RunWriter(int segments) {
      this.segments = segments;
      this.memory = new MemoryRun(units, segments);
    }

    @Override
    public OutputStream begin(int partition) throws IOException {
      current = partition;
      return file != null ? file.begin(partition) : new Detour();
    }

    @Override
    public void end(int partition, long rawBytes, long records) throws IOException {
      counts.add(records);
      if (file != null) {
        file.end(partition, rawBytes, records);
      } else {
        memory.endSegment(partition);
      }
    }

    private OutputStream moveToFile() throws IOException {
      Path path = names.getSpillFileForWrite(spills++, memory.length());
      file = new MapOutputWriter(job, files, format, path, segments, attempt, IoClass.SORT, null);
      for (int partition = 0; partition < current; partition++) {
        memory.copyTo(partition, file.begin(partition));
        file.end(partition, memory.length(partition), counts.get(partition));
      }
      OutputStream stream = file.begin(current);
      memory.copyRestTo(current, stream);
      memory.close();
      return stream;
    }

    @Override
    public Run finish() throws IOException {
      if (file == null) {
        bytes += memory.length();
        memory.finish();
        finished = true;
        return memory;
      }
      file.finish();
      bytes += file.length();
      spilledRecords.increment(file.records());
      return new FileRun(files, attempt, units, file.path(), file.index(), format);
    }

    @Override
    public void close() throws IOException {
      if (!finished) {
        memory.close();
      }
      if (file != null) {
        file.close();
      }
    }

    /** One segment's stream: memory, and from some byte on the file. */
    private final class Detour extends OutputStream {
      private OutputStream stream;

      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (stream == null) {
          if (memory.append(bytes, offset, length)) {
            return;
          }
          stream = moveToFile();
        }
        stream.write(bytes, offset, length);
      }
    }
  }
}
