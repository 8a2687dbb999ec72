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
  private final SegmentStream.FileOpener files;
  private final int partition;
  private final long identity;
  private final boolean inMemory;
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
    this.output = output;
    this.partition = partition;
    this.files = files;
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
   * @throws SegmentUnavailableException if the file is gone, and was not looked at before
   */
  public static long identity(MapOutput output) throws IOException {
    long known = output.identity();
    if (known != 0 && output.heldBytes() > 0) {
      return known;
    }
    try {
      BasicFileAttributes file =
          Files.readAttributes(Path.of(output.file()), BasicFileAttributes.class);
      long mixed = 31 * file.lastModifiedTime().to(TimeUnit.NANOSECONDS) + file.size();
      long found = mixed == 0 ? 1 : mixed;
      output.identity(found);
      return found;
    } catch (NoSuchFileException e) {
      throw new SegmentUnavailableException(
          Reason.GONE, "the file of " + output.attempt() + " has been removed");
    }
  }

  @Override
  public long rawLength() {
    return output.index().rawLength(partition);
  }

  @Override
  public long partLength() {
    return output.index().partLength(partition);
  }

  @Override
  public long identity() {
    return identity;
  }

  @Override
  public String waitsFor(long offset) {
    long position = output.index().start(partition) + offset;
    boolean held = file == null && output.nextInMemory(position, position + 1) == position;
    return held ? Readers.MEMORY : disk;
  }

  @Override
  public int flags() {
    return inMemory ? SegmentInfo.IN_MEMORY : 0;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    int wanted = (int) Math.min(into.remaining(), partLength() - offset);
    if (copy == null || copy.length < Math.min(wanted, COPY_BYTES)) {
      copy = new byte[Math.min(wanted, COPY_BYTES)];
    }
    long at = offset;
    while (wanted > 0) {
      int read = readSome(at, Math.min(wanted, copy.length));
      into.put(copy, 0, read);
      at += read;
      wanted -= read;
    }
  }

  private int readSome(long offset, int length) throws IOException {
    long position = output.index().start(partition) + offset;
    int read = output.read(position, copy, 0, length);
    if (read > 0) {
      return read;
    }
    if (file == null || filePosition != offset) {
      close();
      file = output.openFile(files, position, partLength() - offset);
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
