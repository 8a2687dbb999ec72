package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.mammoth.engine.send.SegmentStream;

/** Reads local files through Hadoop's local file system, so that they count in its statistics. */
public final class LocalFiles implements SegmentStream.FileOpener {

  private final FileSystem files;

  /** Reads through {@code files}, the raw local file system. */
  public LocalFiles(FileSystem files) {
    this.files = files;
  }

  @Override
  public SegmentStream.FileReader open(String path) throws IOException {
    FSDataInputStream in = files.open(new Path(path), 4096);
    return new SegmentStream.FileReader() {
      @Override
      public int read(long position, byte[] into, int offset, int length) throws IOException {
        if (in.getPos() != position) {
          in.seek(position);
        }
        return in.read(into, offset, length);
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }
}
