// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in files that only ever grow, one file for each span of time. A record is its length, the
 * CRC-32C of its bytes, and its bytes; a file that was cut off or damaged is good up to the first
 * record that does not check. A file that an earlier process left is never appended to: the span
 * goes on in a second file of the same start. A record that a full disk did not take is taken back.
 *
 * <p>One thread writes; any number may read meanwhile.
 */
final class SegmentLog implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SegmentLog.class);

  /** More than a record ever has; a length beyond it is damage. */
  private static final int MAX_RECORD = 64 << 20;

  private static final String SUFFIX = ".seg";

  private final Path dir;
  private final long spanMs;
  private final NavigableMap<String, Segment> segments = new TreeMap<>();
  private final AppendFile.Disk disk;
  private final Set<Path> unreadable = ConcurrentHashMap.newKeySet();
  private AppendFile file;
  private Segment current;

  /** Start of the last file that this process began; time does not go back within one. */
  private long presentMs = Long.MAX_VALUE;

  /** A file, with the start of its span. */
  record Segment(Path path, long startMs) {}

  SegmentLog(Path dir, long spanMs, AppendFile.Disk disk) throws IOException {
    this.disk = disk;
    this.dir = dir;
    this.spanMs = spanMs;
    Files.createDirectories(dir);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir, "*" + SUFFIX)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        long start = startOf(name);
        if (start >= 0) {
          segments.put(name, new Segment(file, start));
        }
      }
    }
  }

  private static long startOf(String name) {
    try {
      return Long.parseLong(name.substring(0, name.indexOf('-')));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return -1;
    }
  }

  /** Whether a record of this time begins a new file. */
  boolean rolls(long timeMs) {
    return current == null || timeMs - timeMs % spanMs != current.startMs();
  }

  /**
   * Writes a record into the file of its time.
   *
   * @throws IOException if it could not be written whole; nothing of it is left then, or the next
   *     one begins a new file
   */
  void append(long timeMs, byte[] record, int length) throws IOException {
    if (rolls(timeMs)) {
      roll(timeMs - timeMs % spanMs);
    }
    CRC32C crc = new CRC32C();
    crc.update(record, 0, length);
    ByteBuffer frame = ByteBuffer.allocate(8 + length);
    frame.putInt(length).putInt((int) crc.getValue()).put(record, 0, length).flip();
    try {
      file.append(frame);
    } catch (IOException e) {
      if (file.torn()) {
        leave();
      }
      throw e;
    }
  }

  /** Ends the file being written, whatever the disk says to that; the next record begins one. */
  private void leave() {
    AppendFile left = file;
    synchronized (segments) {
      file = null;
      current = null;
    }
    if (left == null) {
      return;
    }
    try (left) {
      left.force();
    } catch (IOException e) {
      LOG.warn("The last seconds of a file in {} may not survive a loss of power", dir, e);
    }
  }

  private void roll(long startMs) throws IOException {
    leave();
    for (int copy = 0; ; copy++) {
      String name = String.format("%015d-%04d%s", startMs, copy, SUFFIX);
      if (!segments.containsKey(name) && !Files.exists(dir.resolve(name))) {
        file = new AppendFile(disk, dir.resolve(name), StandardOpenOption.CREATE_NEW);
        synchronized (segments) {
          current = new Segment(dir.resolve(name), startMs);
          presentMs = startMs;
          segments.put(name, current);
        }
        return;
      }
    }
  }

  /** The files that may hold records of this span of time, oldest first. */
  List<Segment> segments(long fromMs, long toMs) {
    List<Segment> found = new ArrayList<>();
    synchronized (segments) {
      for (Segment segment : segments.values()) {
        if (segment.startMs() <= toMs && segment.startMs() + spanMs > fromMs) {
          found.add(segment);
        }
      }
    }
    return found;
  }

  /**
   * The same for who reads many files: one that the disk does not give hides nothing but what is in
   * it, and is named in the log once.
   */
  void visit(Segment segment, BiConsumer<byte[], Integer> visitor) {
    try {
      read(segment, visitor);
      unreadable.remove(segment.path());
    } catch (UncheckedIOException e) {
      if (unreadable.add(segment.path())) {
        LOG.error(
            "A part of what was recorded cannot be read, and is missing where it is shown", e);
      }
    }
  }

  /**
   * Hands over the records of a file one by one, as far as they check.
   *
   * @param visitor gets the bytes and their number; the array is used again
   */
  static void read(Segment segment, BiConsumer<byte[], Integer> visitor) {
    byte[] buffer = new byte[1 << 16];
    CRC32C crc = new CRC32C();
    try (InputStream file = Files.newInputStream(segment.path());
        DataInputStream in = new DataInputStream(new BufferedInputStream(file, 1 << 16))) {
      while (true) {
        int length = in.readInt();
        int expected = in.readInt();
        if (length < 0 || length > MAX_RECORD) {
          return;
        }
        if (length > buffer.length) {
          buffer = new byte[Math.max(length, 2 * buffer.length)];
        }
        in.readFully(buffer, 0, length);
        crc.reset();
        crc.update(buffer, 0, length);
        if ((int) crc.getValue() != expected) {
          return;
        }
        visitor.accept(buffer, length);
      }
    } catch (EOFException | NoSuchFileException e) {
      // The end, the torn end, or a file that was dropped for its age meanwhile.
      return;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read history in " + segment.path(), e);
    }
  }

  /**
   * Starts of spans, the oldest first. A file that begins after the one being written is of a
   * process whose clock was ahead: it is older than all others, or it would seem new for years.
   */
  private List<Long> starts() {
    List<Long> ahead = new ArrayList<>();
    List<Long> others = new ArrayList<>();
    segments.values().stream()
        .mapToLong(Segment::startMs)
        .distinct()
        .sorted()
        .forEach(start -> (isAhead(start) ? ahead : others).add(start));
    ahead.addAll(others);
    return ahead;
  }

  private boolean isAhead(long startMs) {
    return startMs > presentMs;
  }

  /**
   * Deletes all files but those of the newest spans that together last so long; never the one being
   * written. Age is what was recorded since, not what a clock says: one that jumps deletes nothing.
   */
  void keep(long ms) throws IOException {
    long spans = 1 + (ms + spanMs - 1) / spanMs;
    List<Segment> old = new ArrayList<>();
    synchronized (segments) {
      List<Long> starts = starts();
      if (starts.size() <= spans) {
        return;
      }
      Set<Long> kept = Set.copyOf(starts.subList((int) (starts.size() - spans), starts.size()));
      segments
          .values()
          .removeIf(
              segment -> {
                boolean goes = segment != current && !kept.contains(segment.startMs());
                if (goes) {
                  old.add(segment);
                }
                return goes;
              });
    }
    for (Segment segment : old) {
      Files.deleteIfExists(segment.path());
    }
  }

  /** Deletes the oldest file; false if there is none but the one being written. */
  boolean dropOldest() throws IOException {
    Segment oldest;
    synchronized (segments) {
      oldest = oldest();
      if (oldest == null) {
        return false;
      }
      segments.remove(oldest.path().getFileName().toString());
    }
    Files.deleteIfExists(oldest.path());
    return true;
  }

  /** Null if there is none but the one being written. */
  private Segment oldest() {
    return segments.values().stream()
        .filter(segment -> isAhead(segment.startMs()))
        .findFirst()
        .or(() -> segments.values().stream().findFirst().filter(segment -> segment != current))
        .orElse(null);
  }

  /**
   * Start of the oldest file; the smallest number if that is of a clock that was ahead, and the
   * largest if there is none but the one being written.
   */
  long oldestStartMs() {
    synchronized (segments) {
      Segment oldest = oldest();
      if (oldest == null) {
        return Long.MAX_VALUE;
      }
      return isAhead(oldest.startMs()) ? Long.MIN_VALUE : oldest.startMs();
    }
  }

  /** Bytes of all files. */
  long bytes() throws IOException {
    long sum = 0;
    for (Segment segment : segments(Long.MIN_VALUE / 2, Long.MAX_VALUE / 2)) {
      try {
        sum += Files.size(segment.path());
      } catch (NoSuchFileException e) {
        sum += 0;
      }
    }
    return sum;
  }

  /** Puts what was written on the disk itself, so that it survives a loss of power too. */
  void force() throws IOException {
    if (file != null) {
      file.force();
    }
  }

  @Override
  public void close() {
    leave();
  }
}
