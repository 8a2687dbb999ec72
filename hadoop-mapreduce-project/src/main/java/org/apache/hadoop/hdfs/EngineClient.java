// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.mammoth.engine.config.DataCacheKeys;
import org.mammoth.engine.datacache.KeptFile;
import org.mammoth.mapreduce.buffers.InputReads;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.buffers.TaskCache;

/**
 * HDFS as tasks of an engine see it, in a {@link DistributedFileSystem} of upstream's ({@code
 * OwnObjects}). What they read of this node's spinning disks takes turns with the engine's own
 * files ({@link AheadBlockReader}); what they write stays in the data cache and is read from there
 * ({@link KeptBlockReader}). All that it asks the NameNode is what upstream's client asks, so that
 * permissions, leases and errors are upstream's. Any thread.
 *
 * <p>Not final, as upstream's tests spy on their clients.
 */
class EngineClient extends DFSClient {

  private final boolean keeps;

  EngineClient(URI uri, Configuration conf, FileSystem.Statistics statistics) throws IOException {
    super(uri, conf, statistics);
    // ApplicationMasters have this class, too, and are no tasks.
    TaskBuffers task = TaskBuffers.ofCurrentTask();
    keeps = task != null && task.dataCache() != null && DataCacheKeys.ENABLED.get(conf);
  }

  /** The data cache of the calling thread's task; null if there is none, or the job wants none. */
  private TaskCache dataCache() {
    TaskBuffers task = keeps ? TaskBuffers.ofCurrentTask() : null;
    return task == null ? null : task.dataCache();
  }

  @Override
  public DFSInputStream open(String file, int bufferBytes, boolean verify) throws IOException {
    checkOpen();
    LocatedBlocks blocks = getLocatedBlocks(file, 0);
    return blocks == null
        ? super.open(file, bufferBytes, verify)
        : open(file, verify, blocks, dataCache());
  }

  /** Its blocks come from the DataNodes in any case. */
  @Override
  public DFSInputStream open(HdfsPathHandle file, int bufferBytes, boolean verify)
      throws IOException {
    checkOpen();
    HdfsLocatedFileStatus found = getLocatedFileInfo(file.getPath(), true);
    file.verify(found);
    LocatedBlocks blocks = found.getLocatedBlocks();
    return blocks == null
        ? super.open(file, bufferBytes, verify)
        : open(file.getPath(), verify, blocks, null);
  }

  /** Who is no task, too, has a stream of ours: others have open what it reads. */
  private DFSInputStream open(String file, boolean verify, LocatedBlocks blocks, TaskCache cache)
      throws IOException {
    ErasureCodingPolicy striped = blocks.getErasureCodingPolicy();
    if (striped != null) {
      return new DFSStripedInputStream(this, file, verify, striped, blocks);
    }
    TaskBuffers task = TaskBuffers.ofCurrentTask();
    InputReads input = task == null ? null : task.input();
    KeptFile kept = cache == null ? null : KeptBlocks.open(cache, file, blocks);
    return new EngineInputStream(this, file, verify, blocks, input, kept, cache);
  }

  /** A reader of a long file asks for its blocks as it goes; they are to be found in memory too. */
  @Override
  public LocatedBlocks getLocatedBlocks(String file, long from, long length) throws IOException {
    LocatedBlocks blocks = super.getLocatedBlocks(file, from, length);
    TaskCache cache = dataCache();
    if (cache != null && blocks != null) {
      KeptBlocks.bind(cache, blocks);
    }
    return blocks;
  }

  @Override
  public HdfsDataOutputStream createWrappedOutputStream(
      DFSOutputStream out, FileSystem.Statistics statistics, long from) throws IOException {
    TaskCache cache = dataCache();
    // What is appended to is no file of ours; striped and encrypted blocks are other bytes.
    boolean plain =
        from == 0
            && !(out instanceof DFSStripedOutputStream)
            && out.getFileEncryptionInfo() == null;
    return cache != null && plain
        ? new KeptOutputStream(out, statistics, cache)
        : super.createWrappedOutputStream(out, statistics, from);
  }

  @Override
  public boolean delete(String file, boolean recursive) throws IOException {
    boolean deleted = super.delete(file, recursive);
    TaskCache cache = dataCache();
    if (deleted && cache != null) {
      cache.deleted(file);
    }
    return deleted;
  }
}
