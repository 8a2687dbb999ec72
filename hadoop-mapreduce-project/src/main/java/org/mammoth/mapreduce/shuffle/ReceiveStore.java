package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.mapreduce.buffers.AttemptFiles;
import org.mammoth.mapreduce.sort.SegmentFormat;

/**
 * Where a reduce keeps segments of other nodes, with all that is needed to read them again.
 *
 * @param units of the receive buffer
 * @param small keeps segments that are much smaller than a unit
 * @param files the raw local file system
 * @param attempt writes and reads them
 * @param sink names files for what finds no memory
 * @param format of the job's segments
 */
record ReceiveStore(
    UnitSource units,
    SmallSegments small,
    FileSystem files,
    AttemptFiles attempt,
    FetchedOutput.Sink sink,
    SegmentFormat format) {

  private static final int COPY_BYTES = 64 << 10;

  /** Whether a segment's last bytes are the checksum of the others. */
  boolean showsChecksum() {
    return format.padding() == 0;
  }

  Path newFile(String map, long size) throws IOException {
    return sink.newFile(TaskAttemptID.forName(map), size);
  }

  /** Begins a file that is written behind; complete when the stream has been closed. */
  OutputStream create(Path path) throws IOException {
    return new ReceivedFile(
        attempt.create(path.toUri().getPath(), IoClass.RECEIVE, null), attempt::countWritten);
  }

  /** Puts {@code length} bytes that are in memory into a file, and waits until they are on disk. */
  void write(Path path, CacheFile memory, long length) throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    try (OutputStream out = create(path)) {
      long at = 0;
      while (at < length) {
        int read = memory.read(at, buffer, 0, (int) Math.min(buffer.length, length - at));
        if (read <= 0) {
          throw new IOException(path + " lost its memory while it was spilled");
        }
        out.write(buffer, 0, read);
        at += read;
      }
    }
  }

  /** Where a file lies that was created as {@code path}. */
  String where(Path path) {
    return attempt.where(path.toUri().getPath());
  }

  /** Opens a file of {@code length} bytes. */
  InputStream open(Path path, long length) throws IOException {
    return attempt.open(where(path), 0, length, IoClass.ACTIVE, units);
  }

  void delete(Path path) throws IOException {
    files.delete(new Path(where(path)), false);
  }
}
