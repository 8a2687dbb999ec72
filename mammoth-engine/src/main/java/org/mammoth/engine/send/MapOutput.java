// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.BitSet;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;

/**
 * The final output of one map attempt: the bytes of its file on disk, and as long as memory lasts
 * the same bytes in a cache file. The file is complete before this exists, so what is in memory may
 * be dropped at any moment.
 *
 * <p>Safe for any thread.
 */
public final class MapOutput implements AutoCloseable {

  private final String job;
  private final String attempt;
  private final String file;
  private final CacheFile memory;
  private final OutputTables tables;

  /** Which partitions a reduce has taken over. */
  private final BitSet taken = new BitSet();

  /** Which partitions were compared with the checksum at their end. */
  private final BitSet whole = new BitSet();

  private boolean closed;

  /** See {@link OutputSegment#identity}; 0 until it is found out. */
  private volatile long identity;

  /** How it is read for other nodes, once it was. */
  private volatile RangeReads.RangeFile served;

  /**
   * An output that is complete on disk.
   *
   * @param job its job's id
   * @param attempt the map attempt's id
   * @param file path of the file that holds all of it
   * @param index where the segments are
   * @param memory the same bytes as the file, or null
   * @param sums of the file, or null if they are not known
   */
  public MapOutput(
      String job,
      String attempt,
      String file,
      PartitionIndex index,
      CacheFile memory,
      BlockSums sums) {
    this.job = job;
    this.attempt = attempt;
    this.file = file;
    this.memory = memory;
    this.tables = new OutputTables(index, sums);
  }

  /** The job's id. */
  public String job() {
    return job;
  }

  /** The map attempt's id. */
  public String attempt() {
    return attempt;
  }

  /** Path of the file on disk. */
  public String file() {
    return file;
  }

  /** What tells the file from another of its name; 0 until somebody has looked. */
  long identity() {
    return identity;
  }

  void identity(long found) {
    identity = found;
  }

  /**
   * Where the segments are; waits for its tables if they are not in memory.
   *
   * @throws TablesLostException if they can't be read: the output is to be found anew by its files
   */
  public PartitionIndex index() throws TablesLostException {
    return tables.index();
  }

  /** Where the segments are; null if that is not in memory. Waits for nothing. */
  public PartitionIndex indexInMemory() {
    return tables.indexInMemory();
  }

  /**
   * Where one segment is, for as long as somebody wants to know; as {@link #index}.
   *
   * @throws TablesLostException as {@link #index}
   */
  public OutputPart part(int partition) throws TablesLostException {
    PartitionIndex index = tables.index();
    return new OutputPart(
        index.start(partition), index.rawLength(partition), index.partLength(partition));
  }

  /** How many partitions it has. */
  public int partitions() {
    return tables.partitions();
  }

  /** Bytes of the file. */
  public long fileBytes() {
    return tables.fileBytes();
  }

  /**
   * Waits for all its tables if they are not in memory.
   *
   * @throws TablesLostException as {@link #index}
   */
  public void readTables() throws TablesLostException {
    tables.index();
    tables.sums();
  }

  /**
   * The sums of the file's blocks; null if they never were known.
   *
   * @throws TablesLostException as {@link #index}
   */
  BlockSums sums() throws TablesLostException {
    return tables.sums();
  }

  /** Has its tables kept where those of all outputs are bounded. */
  void pageTo(Pages pages) {
    tables.pageTo(pages);
  }

  /** Whether its tables are in memory, so that using them waits for nothing. */
  public boolean hasTablesInMemory() {
    return tables.isInMemory();
  }

  /** Its file, as other nodes read it. */
  RangeReads.RangeFile served(RangeReads ranges) {
    RangeReads.RangeFile known = served;
    if (known == null) {
      known = ranges.file(Path.of(file));
      served = known;
    }
    return known;
  }

  /** Whether the file is open, so that its identity cannot have changed. */
  public boolean isOpen() {
    RangeReads.RangeFile known = served;
    return known != null && known.isOpen(identity);
  }

  /**
   * Whether what is read is compared with sums of the file; else a damaged file shows only at the
   * end of its segment. What lies in memory now may have to be read from the file later.
   */
  public boolean isVerified() {
    return tables.hasSums();
  }

  /** Whether {@link #foundWhole} was told of the partition. */
  synchronized boolean isWhole(int partition) {
    return whole.get(partition);
  }

  /** A partition of the file fits the checksum at its end. */
  synchronized void foundWhole(int partition) {
    whole.set(partition);
  }

  /**
   * Opens a range of the file; its bytes are verified if the file's sums are known.
   *
   * @throws TablesLostException if they were and are lost
   */
  InputStream openFile(SegmentStream.FileOpener files, long from, long length) throws IOException {
    return VerifiedInput.open(files, file, sums(), from, length);
  }

  /** Bytes of memory held now. */
  public long heldBytes() {
    return memory == null ? 0 : memory.heldBytes();
  }

  /**
   * Hands the bytes of one partition that are in memory to a reduce: they are charged to it and
   * freed as it reads them. Only the first to ask gets them; a second attempt of the same reduce
   * reads what is left of them, or the file.
   *
   * @param part where the partition lies
   * @return false if they are not there or another has them
   * @throws IllegalStateException if the reduce has ended; another may take them then
   */
  synchronized boolean take(int partition, OutputPart part, UnitSource reduce) {
    if (memory == null || closed || taken.get(partition)) {
      return false;
    }
    memory.reassign(part.start(), part.end(), reduce);
    taken.set(partition);
    return true;
  }

  /** Bytes of memory held now that no reduce has taken over. */
  public long untakenBytes() {
    return memory == null ? 0 : memory.untakenBytes();
  }

  /** Bytes of memory that {@code reduce} has taken over and not read yet. */
  public long heldBy(UnitSource reduce) {
    return memory == null ? 0 : memory.heldBy(reduce);
  }

  /**
   * Drops bytes that {@code reduce} has taken over, because others need the memory; it reads them
   * from the file.
   *
   * @param wanted bytes that are enough
   * @return bytes dropped
   */
  public long release(UnitSource reduce, long wanted) {
    return memory == null ? 0 : memory.release(reduce, wanted);
  }

  /** Says that the reduce that took a partition will not read {@code bytes} of it again. */
  void used(long from, int bytes) {
    memory.discard(from, from + bytes);
  }

  /**
   * Copies bytes out of memory.
   *
   * @return how many were copied, or -1 if the first is not in memory (any more)
   */
  int read(long position, byte[] into, int offset, int length) {
    return memory == null ? -1 : memory.read(position, into, offset, length);
  }

  /** The first byte of a range that is in memory; the range's end if none is. */
  long nextInMemory(long from, long to) {
    return memory == null ? to : memory.nextHeld(from, to);
  }

  /**
   * Drops bytes in memory that no reduce has taken over, because others need the memory; who wants
   * them reads the file.
   *
   * @param wanted bytes that are enough
   * @return bytes dropped
   */
  public long drop(long wanted) {
    return memory == null ? 0 : memory.releaseUntaken(wanted);
  }

  /** It is not served any more: drops what is held of it and of its file. */
  void forget() {
    close();
    tables.drop();
    RangeReads.RangeFile known = served;
    if (known != null) {
      known.forget();
    }
  }

  /** Drops the bytes in memory; readers go on with the file. */
  @Override
  public synchronized void close() {
    if (memory == null || closed) {
      return;
    }
    closed = true;
    memory.close();
  }
}
