// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.WriteBehindFile;
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
 * @param spilled counts the bytes of finished files
 */
record ReceiveStore(
    UnitSource units,
    SmallSegments small,
    FileSystem files,
    AttemptFiles attempt,
    FetchedOutput.Sink sink,
    SegmentFormat format,
    LongAdder spilled) {

  /** Whether a segment's last bytes are the checksum of the others. */
  boolean showsChecksum() {
    return format.padding() == 0;
  }

  Path newFile(String map, long size) throws IOException {
    return sink.newFile(TaskAttemptID.forName(map), size);
  }

  /** Begins a file that is written behind; complete when the stream has been closed. */
  OutputStream create(Path path) throws IOException {
    String name = path.toUri().getPath();
    return new ReceivedFile(
        attempt.create(name, IoClass.RECEIVE, null), file -> finished(name, file));
  }

  private void finished(String name, WriteBehindFile file) {
    spilled.add(file.length());
    attempt.finished(name, file);
  }

  /** Whether a segment is what was written, as far as the checksum at its end tells. */
  boolean isWhole(InputStream segment, long length) {
    try {
      format.verify(segment, length);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Begins a file in the form its bytes are to have. */
  interface FileMaker {
    OutputStream create(Path path) throws IOException;
  }

  /**
   * Puts a segment that is in memory into a new file, and waits until it is on disk; after an error
   * there is no file.
   */
  Path spill(String map, CacheFile memory, FileMaker maker) throws IOException {
    Path path = newFile(map, memory.length());
    boolean written = false;
    try {
      try (OutputStream out = maker.create(path)) {
        new HeldStream(memory, 0, memory.length(), map).transferTo(out);
      }
      written = true;
    } finally {
      if (!written) {
        delete(path);
      }
    }
    return path;
  }

  /** Where a file lies that was created as {@code path}. */
  String where(Path path) {
    return attempt.where(path.toUri().getPath());
  }

  /** Opens a file of {@code length} bytes. */
  InputStream open(Path path, long length) throws IOException {
    return open(path, 0, length);
  }

  /** Opens {@code length} bytes of a file from {@code from} on. */
  InputStream open(Path path, long from, long length) throws IOException {
    return attempt.open(where(path), from, length, IoClass.ACTIVE, units);
  }

  void delete(Path path) throws IOException {
    files.delete(new Path(where(path)), false);
  }
}
