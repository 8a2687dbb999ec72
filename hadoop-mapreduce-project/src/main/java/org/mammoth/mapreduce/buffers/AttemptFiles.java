package org.mammoth.mapreduce.buffers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.mammoth.engine.io.FileSource;
import org.mammoth.engine.io.FileTarget;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.BehindFile;
import org.mammoth.engine.send.ScheduledInput;
import org.mammoth.engine.send.SegmentStream;

/**
 * One attempt's files on the node's local disks. All bytes pass the I/O scheduler, and are counted
 * in the attempt's own file system statistics, as if they had passed Hadoop's local file system.
 */
public final class AttemptFiles {

  private static final int READ_AHEAD_UNITS = 1;
  private static final String SCHEME = "file";

  private final IoScheduler io;
  private final String attempt;

  /** Files of {@code attempt}. */
  public AttemptFiles(IoScheduler io, String attempt) {
    this.io = io;
    this.attempt = attempt;
  }

  /**
   * Begins a file; one that is there already is replaced.
   *
   * @param units to keep its bytes in; null keeps none
   * @throws IOException if its disk is quarantined
   */
  public BehindFile create(String path, IoClass ioClass, UnitSource units) throws IOException {
    Path file = Path.of(path);
    Files.createDirectories(file.getParent());
    Files.deleteIfExists(file);
    return new BehindFile(io.openWrite(new FileTarget(file), ioClass, attempt), units);
  }

  /** Counts what a finished file has written. */
  public void countWritten(long bytes) {
    statistics().incrementBytesWritten(bytes);
  }

  /**
   * Opens a range of a file.
   *
   * @param units to read ahead into while some may be had; null for none
   */
  public InputStream open(String path, long from, long length, IoClass ioClass, UnitSource units)
      throws IOException {
    statistics().incrementBytesRead(length);
    return new ScheduledInput(
        io.openRead(
            new FileSource(Path.of(path)),
            from,
            length,
            ioClass,
            attempt,
            READ_AHEAD_UNITS,
            units));
  }

  /** Opens segments that are no longer in memory. */
  public SegmentStream.FileOpener opener(IoClass ioClass, UnitSource units) {
    return (path, from, length) -> open(path, from, length, ioClass, units);
  }

  private static FileSystem.Statistics statistics() {
    return FileSystem.getStatistics(SCHEME, RawLocalFileSystem.class);
  }

  /** Ends whatever the attempt still reads or writes. */
  public void abortAll() {
    io.abortAll(attempt);
  }
}
