// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads ranges of files for many at once without a thread of theirs: each disk serves what is asked
 * of it in the order of its files and offsets, and among the other files it reads and writes. A
 * disk that is slow or hangs keeps its own readers waiting only. Any thread; nothing here blocks.
 */
public final class RangeReads {

  private final String owner;
  private final int openFiles;
  private final long idleNanos;
  private final LongSupplier clock;
  private final AheadBlocks ahead;
  private final IoScheduler io;
  private final Map<DiskQueue, RangeQueue> queues = new ConcurrentHashMap<>();
  private final Map<DiskQueue, OpenFiles> open = new ConcurrentHashMap<>();

  RangeReads(
      IoScheduler io, RangeSettings settings, String owner, IoCharge charge, LongSupplier clock) {
    this.io = io;
    this.owner = owner;
    this.openFiles = settings.openFiles();
    this.idleNanos = settings.idleNanos();
    this.clock = clock;
    this.ahead = new AheadBlocks(settings.aheadBytes(), owner, charge);
  }

  /** A file that is read by ranges. Any thread. */
  public final class RangeFile {

    private final Path path;
    private final RangeQueue queue;
    private final OpenFiles files;

    private RangeFile(Path path, RangeQueue queue, OpenFiles files) {
      this.path = path;
      this.queue = queue;
      this.files = files;
    }

    /**
     * Fills {@code into} from byte {@code from} on.
     *
     * @param version tells the file from a later one of the same path
     * @param into has at least one byte of room; nobody may touch it until {@code done} was called
     * @param sums of the whole file, to verify each block with before any byte of it is handed out;
     *     null if they are not known
     * @param done is told null or why it failed, by a disk's thread: must not block
     * @return true if it was filled at once; {@code done} is not called then
     */
    public boolean read(
        long version, long from, ByteBuffer into, BlockSums sums, Consumer<IOException> done) {
      if (ahead.take(path, version, from, into)) {
        return true;
      }
      if (sums != null && from + into.remaining() > sums.length()) {
        done.accept(
            new IOException(
                path
                    + " was written with "
                    + sums.length()
                    + " bytes, byte "
                    + (from + into.remaining())
                    + " is wanted"));
        return false;
      }
      queue.add(new RangeRead(path, version, from, into, sums, done));
      return false;
    }

    /** Whether that version is open, so that its content cannot change under its readers. */
    public boolean isOpen(long version) {
      return files.isOpen(path, version);
    }

    /** Nobody will read it for now: closes it. It may be read again. */
    public void forget() {
      files.forget(path);
      ahead.forget(path);
    }
  }

  /** A file to be read; it is opened when its disk comes to it. */
  public RangeFile file(Path path) {
    DiskQueue diskQueue = io.diskQueueOfFile(path);
    OpenFiles files =
        open.computeIfAbsent(diskQueue, of -> new OpenFiles(openFiles, idleNanos, clock));
    RangeQueue queue =
        queues.computeIfAbsent(
            diskQueue,
            of -> {
              RangeQueue made =
                  new RangeQueue(
                      of,
                      owner,
                      files,
                      ahead,
                      (file, error) -> io.failed(file, IoDirection.READ, error));
              IoScheduler.attach(of, made);
              return made;
            });
    return new RangeFile(path, queue, files);
  }

  /** Closes what was not read for long; about once a second. */
  public void tick() {
    open.values().forEach(OpenFiles::closeIdle);
  }

  /** Descriptors that are open. */
  public int openFiles() {
    return open.values().stream().mapToInt(OpenFiles::size).sum();
  }

  /** Bytes that were read ahead and not asked for yet. */
  public long aheadBytes() {
    return ahead.bytes();
  }
}
