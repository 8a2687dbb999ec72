// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;

/**
 * One partition of a map output as other nodes read it: from memory as far as the bytes are there,
 * else from the file, changing over at any byte. Nothing of the memory is used up by it.
 */
public final class OutputSegment implements Segment {

  private static final int COPY_BYTES = 64 << 10;

  private final MapOutput output;
  private final int partition;
  private final SegmentStream.FileOpener files;
  private final RangeReads ranges;
  private final BlockSums sums;
  private final long start;
  private final long rawLength;
  private final long partLength;
  private long end;
  private final long identity;
  private final boolean inMemory;
  private boolean unverified;
  private final String disk;
  private byte[] copy;
  private volatile InputStream file;
  private long filePosition;

  /**
   * Opens a partition that the output has.
   *
   * @param disk names the disk of the output's file, see {@link Readers}
   * @throws SegmentUnavailableException if the output's file is gone
   */
  public OutputSegment(MapOutput output, int partition, SegmentStream.FileOpener files, String disk)
      throws IOException {
    this(output, partition, files, disk, null);
  }

  /**
   * Opens a partition that the output has. Waits for its tables if they are not in memory.
   *
   * @param disk names the disk of the output's file, see {@link Readers}
   * @param ranges reads the file without a thread that waits; null to open it by {@code files}
   * @throws SegmentUnavailableException if the output's file is gone
   * @throws TablesLostException if its tables can't be read: it is to be found anew by its files
   */
  public OutputSegment(
      MapOutput output,
      int partition,
      SegmentStream.FileOpener files,
      String disk,
      RangeReads ranges)
      throws IOException {
    this.output = output;
    this.partition = partition;
    this.files = files;
    this.ranges = ranges;
    OutputPart part = output.part(partition);
    this.start = part.start();
    this.rawLength = part.rawLength();
    this.partLength = part.partLength();
    this.end = partLength;
    this.sums = output.sums();
    this.disk = disk;
    this.inMemory = output.heldBytes() > 0;
    this.identity = identity(output);
  }

  /**
   * Tells two files of the same name apart, also across restarts of an engine: the same map attempt
   * never writes its output twice, but nothing relies on that.
   *
   * <p>Found out once, so that what is in memory is served without its disk.
   *
   * @throws SegmentUnavailableException if the file is gone, and was not looked at before, or is
   *     another one than it was
   */
  public static long identity(MapOutput output) throws IOException {
    long known = output.identity();
    if (known != 0 && (output.heldBytes() > 0 || output.isOpen())) {
      return known;
    }
    try {
      BasicFileAttributes file =
          Files.readAttributes(Path.of(output.file()), BasicFileAttributes.class);
      long mixed = 31 * file.lastModifiedTime().to(TimeUnit.NANOSECONDS) + file.size();
      long found = mixed == 0 ? 1 : mixed;
      if (known != 0 && known != found) {
        // What is known of the output, as where its segments lie, is of another file.
        throw new SegmentUnavailableException(
            Reason.CHANGED, "the file of " + output.attempt() + " has been replaced");
      }
      output.identity(found);
      return found;
    } catch (NoSuchFileException e) {
      throw new SegmentUnavailableException(
          Reason.GONE, "the file of " + output.attempt() + " has been removed");
    }
  }

  @Override
  public boolean verify() throws IOException {
    if (partLength > 0 && !output.isVerified() && !output.isWhole(partition)) {
      if (isWhole()) {
        output.foundWhole(partition);
      } else {
        unverified = true;
      }
    }
    return !unverified;
  }

  /** Compares the records with the checksum behind them, as upstream's IFile has it. */
  private boolean isWhole() throws IOException {
    int sumBytes = Integer.BYTES;
    if (partLength < sumBytes) {
      return false;
    }
    CRC32 sum = new CRC32();
    byte[] piece = new byte[COPY_BYTES];
    long left = partLength - sumBytes;
    try (InputStream in = output.openFile(files, start, partLength)) {
      while (left > 0) {
        int read = in.read(piece, 0, (int) Math.min(piece.length, left));
        if (read <= 0) {
          throw new EOFException(output.file() + " ends before its index says");
        }
        sum.update(piece, 0, read);
        left -= read;
      }
      byte[] stored = in.readNBytes(sumBytes);
      return stored.length == sumBytes && ByteBuffer.wrap(stored).getInt() == (int) sum.getValue();
    }
  }

  @Override
  public long rawLength() {
    return rawLength;
  }

  @Override
  public long partLength() {
    return partLength;
  }

  @Override
  public long identity() {
    return identity;
  }

  @Override
  public String waitsFor(long offset) {
    long position = start + offset;
    boolean held = file == null && output.nextInMemory(position, position + 1) == position;
    return held ? Readers.MEMORY : disk;
  }

  @Override
  public int flags() {
    return (inMemory ? SegmentInfo.IN_MEMORY : 0) | (unverified ? SegmentInfo.UNVERIFIED : 0);
  }

  @Override
  public void readsTo(long last) {
    end = last;
  }

  @Override
  public boolean blocks() {
    return ranges == null;
  }

  @Override
  public Reading readLater(long offset, ByteBuffer into, Consumer<IOException> done)
      throws IOException {
    if (ranges == null) {
      return Reading.BLOCKING;
    }
    long position = start + offset;
    while (into.hasRemaining()) {
      int length = Math.min(into.remaining(), COPY_BYTES);
      if (output.nextInMemory(position, position + 1) != position) {
        break;
      }
      int read = output.read(position, copy(length), 0, length);
      if (read <= 0) {
        break;
      }
      into.put(copy, 0, read);
      position += read;
    }
    boolean isThere =
        !into.hasRemaining() || output.served(ranges).read(identity, position, into, sums, done);
    return isThere ? Reading.DONE : Reading.BEGUN;
  }

  private byte[] copy(int wanted) {
    if (copy == null || copy.length < wanted) {
      copy = new byte[wanted];
    }
    return copy;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    int wanted = (int) Math.min(into.remaining(), partLength() - offset);
    copy(Math.min(wanted, COPY_BYTES));
    long at = offset;
    while (wanted > 0) {
      int read = readSome(at, Math.min(wanted, copy.length));
      into.put(copy, 0, read);
      at += read;
      wanted -= read;
    }
  }

  private int readSome(long offset, int length) throws IOException {
    long position = start + offset;
    int read = output.read(position, copy, 0, length);
    if (read > 0) {
      return read;
    }
    if (file == null || filePosition != offset) {
      close();
      // Whoever reads on behind the range's end is asked for a new one.
      long last = offset < end ? end : partLength;
      file = output.openFile(files, position, last - offset);
      filePosition = offset;
    }
    read = file.read(copy, 0, length);
    if (read <= 0) {
      throw new EOFException(output.file() + " ends before its index says");
    }
    filePosition += read;
    return read;
  }

  @Override
  public void close() throws IOException {
    InputStream opened = file;
    file = null;
    if (opened != null) {
      opened.close();
    }
  }
}
