// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.engine.sort.Run;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.mammoth.mapreduce.buffers.AttemptFiles;

/** A run in a spill file, which is deleted with it. One thread at a time. */
final class FileRun implements Run {

  private final FileSystem files;
  private final AttemptFiles attempt;
  private final UnitSource units;
  private final Path path;
  private final PartitionIndex index;
  private final SegmentFormat format;

  FileRun(
      FileSystem files,
      AttemptFiles attempt,
      UnitSource units,
      Path path,
      PartitionIndex index,
      SegmentFormat format) {
    this.files = files;
    this.attempt = attempt;
    this.units = units;
    this.path = path;
    this.index = index;
    this.format = format;
  }

  @Override
  public long length(int partition) {
    return index.rawLength(partition);
  }

  @Override
  public SegmentInput open(int partition) throws IOException {
    long length = index.partLength(partition);
    return format.decode(
        attempt.open(path.toUri().getPath(), index.start(partition), length, IoClass.SORT, units),
        length);
  }

  @Override
  public void close() throws IOException {
    files.delete(path, false);
  }
}
