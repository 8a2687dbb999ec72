// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.FileSource;
import org.mammoth.engine.io.FileTarget;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.LocalizedFiles;
import org.mammoth.engine.io.Target;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.ScheduledInput;
import org.mammoth.engine.send.SegmentStream;
import org.mammoth.engine.send.VerifiedInput;
import org.mammoth.engine.send.WriteBehindFile;

/**
 * One attempt's files on the node's local disks. All bytes pass the I/O scheduler, and are counted
 * in the attempt's own file system statistics, as if they had passed Hadoop's local file system.
 */
public final class AttemptFiles {

  private static final String SCHEME = "file";

  private final IoScheduler io;
  private final String attempt;
  private final LocalizedFiles localized;
  private final List<Path> appDirs;

  /** Files that were begun on SSD, by where they would lie otherwise. */
  private final Map<String, Target> placed = new ConcurrentHashMap<>();

  /** Sums of the attempt's finished files, by where they lie. */
  private final Map<String, BlockSums> sums = new ConcurrentHashMap<>();

  private final AtomicInteger number = new AtomicInteger();

  /** Files of {@code attempt}, none of them on SSD. */
  public AttemptFiles(IoScheduler io, String attempt) {
    this(io, attempt, LocalizedFiles.none(), List.of());
  }

  /**
   * Files of {@code attempt}.
   *
   * @param localized puts them on SSD while there is room
   * @param appDirs the application's folder on each local disk
   */
  public AttemptFiles(
      IoScheduler io, String attempt, LocalizedFiles localized, List<String> appDirs) {
    this.io = io;
    this.attempt = attempt;
    this.localized = localized;
    this.appDirs = appDirs.stream().map(Path::of).toList();
  }

  /**
   * Begins a file; one that is there already is replaced. It may come to lie on SSD instead, see
   * {@link #where}.
   *
   * @param path where it lies on an ordinary disk
   * @param units to keep its bytes in; null keeps none
   * @throws IOException if its disk is quarantined
   */
  public WriteBehindFile create(String path, IoClass ioClass, UnitSource units) throws IOException {
    Path ordinary = Path.of(path);
    Target target = localized.target(ordinary, appDirs);
    placed.remove(path);
    if (!target.path().equals(ordinary)) {
      try {
        WriteBehindFile begun = begin(target, ioClass, units);
        placed.put(path, target);
        return begun;
      } catch (IOException e) {
        target.abort();
      }
    }
    return begin(new FileTarget(ordinary), ioClass, units);
  }

  /**
   * A number that no other file of the attempt has: whoever names its file with it can't meet what
   * another left under the name, nor delete it.
   */
  public int nextNumber() {
    return number.incrementAndGet();
  }

  /** Where a file lies that was created as {@code path}; final once it is finished. */
  public String where(String path) {
    Target target = placed.get(path);
    return target == null ? path : target.path().toString();
  }

  private WriteBehindFile begin(Target target, IoClass ioClass, UnitSource units)
      throws IOException {
    Files.createDirectories(target.path().getParent());
    Files.deleteIfExists(target.path());
    return new WriteBehindFile(io.openWrite(target, ioClass, attempt), units);
  }

  /** A file that was created as {@code path} is complete: what is read from it is verified. */
  public void finished(String path, WriteBehindFile file) {
    statistics().incrementBytesWritten(file.length());
    if (file.sums() != null) {
      sums.put(where(path), file.sums());
    }
  }

  /**
   * Opens a range of a file; of one of the attempt's own, no damaged byte is handed out.
   *
   * @param units to read ahead into while some may be had; null for none
   */
  public InputStream open(String path, long from, long length, IoClass ioClass, UnitSource units)
      throws IOException {
    return VerifiedInput.open(
        opener(ioClass, units, Integer.MAX_VALUE), path, sums.get(path), from, length);
  }

  private InputStream read(
      String path, long from, long length, IoClass ioClass, UnitSource units, int arrayBytes)
      throws IOException {
    statistics().incrementBytesRead(length);
    return new ScheduledInput(
        io.openRead(
            new FileSource(Path.of(path)),
            from,
            length,
            ioClass,
            attempt,
            readAhead(path),
            units,
            arrayBytes));
  }

  /** One unit to read while another is used up; on a spinning disk one burst. */
  private int readAhead(String path) {
    int burst = io.burstUnits(Path.of(path));
    return burst == 1 ? 1 : burst + 1;
  }

  /** Bytes that reading a file ahead takes of {@code units} at most. */
  public long readAheadBytes(String path, UnitSource units) {
    return (long) readAhead(path) * units.unitBytes();
  }

  /**
   * Opens segments that are no longer in memory; who reads them verifies them.
   *
   * @param arrayBytes what each may take of the heap, twice, where {@code units} has none
   */
  public SegmentStream.FileOpener opener(IoClass ioClass, UnitSource units, int arrayBytes) {
    return (path, from, length) -> read(path, from, length, ioClass, units, arrayBytes);
  }

  private static FileSystem.Statistics statistics() {
    return FileSystem.getStatistics(SCHEME, RawLocalFileSystem.class);
  }

  /** Ends whatever the attempt still reads or writes. */
  public void abortAll() {
    io.abortAll(attempt);
  }
}
