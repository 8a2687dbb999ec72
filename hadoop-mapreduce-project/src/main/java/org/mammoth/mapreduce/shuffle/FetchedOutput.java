// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapred.IFileInputStream;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.IntermediateEncryptedStream;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * Map output fetched from another node's shuffle service: kept as it came, still compressed, in the
 * receive buffer while units are to be had, otherwise in a file. Its checksum is verified as it
 * arrives, so that a damaged one is fetched again. Used by one fetcher, then by the merge.
 */
final class FetchedOutput<K, V> extends MapOutput<K, V> implements ReduceInput {

  private static final int COPY_BYTES = 64 << 10;

  /** Where finished and failed fetches go. */
  interface Sink {
    void fetched(ReduceInput input);

    /** Names a file that nobody else writes: several attempts of a map may be under way. */
    Path newFile(TaskAttemptID map, long size) throws IOException;
  }

  private final JobConf job;
  private final ReceiveStore store;
  private final CacheFile memory;
  private Path path;
  private long length;
  private long fileLength;
  private final long rawLength;

  /** Bytes of memory of what was fetched and not opened yet. */
  private volatile long spillable;

  FetchedOutput(TaskAttemptID map, long rawLength, JobConf job, ReceiveStore store) {
    super(map, rawLength, true);
    this.rawLength = rawLength;
    this.job = job;
    this.store = store;
    this.memory = new CacheFile(store.units());
  }

  @Override
  public void shuffle(
      MapHost host,
      InputStream input,
      long compressedLength,
      long decompressedLength,
      ShuffleClientMetrics metrics,
      Reporter reporter)
      throws IOException {
    IFileInputStream checked = new IFileInputStream(input, compressedLength, job);
    length = compressedLength;
    byte[] buffer = new byte[(int) Math.min(COPY_BYTES, Math.max(1, compressedLength))];
    OutputStream file = null;
    try {
      long left = compressedLength;
      while (left > 0) {
        int read = checked.readWithChecksum(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          throw new EOFException(left + " bytes of " + getMapId() + " are missing from " + host);
        }
        if (file == null && !memory.tryAppend(buffer, 0, read)) {
          file = moveToFile();
        }
        if (file != null) {
          file.write(buffer, 0, read);
        }
        left -= read;
        metrics.inputBytes(read);
        reporter.progress();
      }
      memory.finish();
    } finally {
      if (file != null) {
        file.close();
        fileLength = Files.size(Paths.get(store.where(path)));
      }
    }
  }

  private OutputStream moveToFile() throws IOException {
    path = store.sink().newFile(getMapId(), length);
    OutputStream out = encrypted(path);
    boolean moved = false;
    try {
      new HeldStream(memory, 0, memory.length(), name()).transferTo(out);
      moved = true;
    } finally {
      if (!moved) {
        IOUtils.closeStream(out);
      }
    }
    memory.close();
    return out;
  }

  private OutputStream encrypted(Path to) throws IOException {
    FSDataOutputStream raw = new FSDataOutputStream(store.create(to), null);
    return IntermediateEncryptedStream.wrapIfNecessary(job, raw, true, to);
  }

  @Override
  public void commit() {
    spillable = memory.heldBytes();
    store.sink().fetched(this);
  }

  @Override
  public long spillableBytes() {
    return spillable;
  }

  @Override
  public void spill() throws IOException {
    if (spillable == 0) {
      return;
    }
    spillable = 0;
    Path to = store.spill(name(), memory, this::encrypted);
    fileLength = Files.size(Paths.get(store.where(to)));
    path = to;
    memory.close();
  }

  @Override
  public void abort() {
    try {
      close();
    } catch (IOException e) {
      // a file that can't be deleted goes with the application's folder
    }
  }

  @Override
  public String getDescription() {
    return path == null ? "MEMORY" : "DISK";
  }

  /** Whether it did not fit into memory. */
  boolean isOnDisk() {
    return path != null;
  }

  @Override
  public String name() {
    return getMapId().toString();
  }

  @Override
  public long rawLength() {
    return rawLength;
  }

  @Override
  public CameFrom cameFrom() {
    return CameFrom.network(length);
  }

  @Override
  public SegmentInput open() throws IOException {
    spillable = 0;
    if (length == 0) {
      return store.format().decodeDecrypted(new ByteArrayInputStream(new byte[0]), 0);
    }
    if (path == null) {
      return store
          .format()
          .decodeDecrypted(new UnitStream(memory, 0, length, name(), this), length);
    }
    InputStream in =
        IntermediateEncryptedStream.wrapIfNecessary(
            job, store.open(path, fileLength), fileLength, path);
    return store.format().decodeDecrypted(in, length);
  }

  @Override
  public void close() throws IOException {
    memory.close();
    if (path != null) {
      store.delete(path);
    }
  }
}
