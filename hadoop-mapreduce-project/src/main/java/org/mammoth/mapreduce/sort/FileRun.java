package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.engine.sort.Run;
import org.mammoth.engine.sort.SegmentInput;

/** A run in a spill file, which is deleted with it. One thread at a time. */
final class FileRun implements Run {

  private final FileSystem files;
  private final Path path;
  private final PartitionIndex index;
  private final SegmentFormat format;

  FileRun(FileSystem files, Path path, PartitionIndex index, SegmentFormat format) {
    this.files = files;
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
    FSDataInputStream in = files.open(path, 4096);
    in.seek(index.start(partition));
    return format.decode(in, index.partLength(partition));
  }

  @Override
  public void close() throws IOException {
    files.delete(path, false);
  }
}
