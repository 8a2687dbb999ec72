// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.security.IntermediateEncryptedStream;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.engine.send.WriteBehindFile;
import org.mammoth.engine.sort.merge.PartitionedOutput;
import org.mammoth.mapreduce.buffers.AttemptFiles;

/**
 * Writes segments into a file laid out as upstream's map output, and keeps the same bytes in memory
 * as long as they fit. One thread at a time.
 */
final class MapOutputWriter implements PartitionedOutput, Closeable {

  /** What the NodeManager's shuffle service needs to be allowed to read. */
  private static final FsPermission SHUFFLE_PERMISSION = FsPermission.createImmutable((short) 0640);

  private final JobConf job;
  private final FileSystem files;
  private final SegmentFormat format;
  private Path path;
  private final PartitionIndex index;
  private final AttemptFiles attempt;
  private final WriteBehindFile behind;
  private final FSDataOutputStream out;
  private SegmentFormat.Encoder segment;
  private long segmentStart;
  private long records;
  private CacheFile memory;
  private boolean closed;

  /**
   * Creates the file.
   *
   * @param files the raw local file system
   * @param attempt writes the file
   * @param units for the bytes in memory; null keeps none
   */
  MapOutputWriter(
      JobConf job,
      FileSystem files,
      SegmentFormat format,
      Path path,
      int partitions,
      AttemptFiles attempt,
      IoClass ioClass,
      UnitSource units)
      throws IOException {
    this.job = job;
    this.files = files;
    this.format = format;
    this.path = path;
    this.index = new PartitionIndex(partitions);
    this.attempt = attempt;
    this.behind = attempt.create(path.toUri().getPath(), ioClass, units);
    this.out = new FSDataOutputStream(behind, null);
  }

  /** Where the file lies; final after {@link #finish}. */
  Path path() {
    return path;
  }

  PartitionIndex index() {
    return index;
  }

  /** Records of all segments so far. */
  long records() {
    return records;
  }

  /** Length of the file so far. */
  long length() {
    return out.getPos();
  }

  @Override
  public OutputStream begin(int partition) throws IOException {
    segmentStart = out.getPos();
    segment = format.encode(out, path);
    return segment.stream();
  }

  @Override
  public void end(int partition, long rawBytes, long count) throws IOException {
    segment.close();
    segment = null;
    records += count;
    index.set(partition, segmentStart, rawBytes + format.padding(), out.getPos() - segmentStart);
  }

  /** Waits until the file is on disk, closes it and sees that it is as long as it should be. */
  void finish() throws IOException {
    memory = behind.finish();
    closed = true;
    String name = path.toUri().getPath();
    path = new Path(attempt.where(name));
    long expected = behind.length();
    long found = files.getFileStatus(path).getLen();
    if (found != expected) {
      throw new IOException(
          "map output " + path + " has " + found + " bytes, " + expected + " were written");
    }
    attempt.finished(name, behind);
  }

  /** Sums of the finished file, or null. */
  BlockSums sums() {
    return behind.sums();
  }

  /** The file's bytes in memory, or null; the caller owns them from now on. */
  CacheFile takeMemory() {
    CacheFile taken = memory;
    memory = null;
    return taken;
  }

  /** Writes the index file that upstream's shuffle service reads. */
  void writeIndex(Path indexPath) throws IOException {
    SpillRecord record = new SpillRecord(index.partitions());
    for (int partition = 0; partition < index.partitions(); partition++) {
      record.putIndex(
          new IndexRecord(
              index.start(partition), index.rawLength(partition), index.partLength(partition)),
          partition);
    }
    record.writeToFile(indexPath, job);
    IntermediateEncryptedStream.addSpillIndexFile(indexPath, job);
    if (!SHUFFLE_PERMISSION.equals(SHUFFLE_PERMISSION.applyUMask(FsPermission.getUMask(job)))) {
      files.setPermission(path, SHUFFLE_PERMISSION);
      files.setPermission(indexPath, SHUFFLE_PERMISSION);
    }
  }

  /** Drops the file unless {@link #finish} was reached, and the memory unless it was taken. */
  @Override
  public void close() throws IOException {
    if (memory != null) {
      memory.close();
    }
    if (!closed) {
      closed = true;
      if (segment != null) {
        segment.drop();
      }
      behind.close();
    }
  }
}
