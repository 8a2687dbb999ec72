// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.mammoth.engine.datacache.KeptWriter;
import org.mammoth.mapreduce.buffers.TaskCache;

/**
 * Upstream's stream to a new file, with an ear on what passes. The data cache gets bytes after HDFS
 * has taken them, in the same order, and the file once HDFS has closed it. What fails is not kept.
 * Any thread, as upstream's.
 */
final class KeptOutputStream extends HdfsDataOutputStream {

  private final Tee tee;

  KeptOutputStream(DFSOutputStream file, FileSystem.Statistics statistics, TaskCache cache)
      throws IOException {
    super(file, statistics);
    tee = new Tee(out, file, cache);
    // All that DataOutputStream writes goes through this field.
    out = tee;
  }

  /** Upstream's asks the object that the tee has replaced. */
  @Override
  public long getPos() {
    return tee.written;
  }

  private static final class Tee extends OutputStream {

    /** Upstream's count of bytes, and under it the file. */
    private final OutputStream upstream;

    private final DFSOutputStream file;
    private final TaskCache cache;
    private final KeptWriter writer;
    private final byte[] one = new byte[1];

    /** As upstream counts: volatile here, as any thread may ask. */
    private volatile long written;

    private boolean closed;

    Tee(OutputStream upstream, DFSOutputStream file, TaskCache cache) {
      this.upstream = upstream;
      this.file = file;
      this.cache = cache;
      this.writer = cache.begin(file.getSrc());
    }

    @Override
    public synchronized void write(int b) throws IOException {
      one[0] = (byte) b;
      write(one, 0, 1);
    }

    @Override
    public synchronized void write(byte[] from, int offset, int count) throws IOException {
      boolean taken = false;
      try {
        upstream.write(from, offset, count);
        written += count;
        taken = keep(from, offset, count);
      } finally {
        if (!taken) {
          writer.abandon();
        }
      }
    }

    /** HDFS has the bytes: whoever writes them must not hear that the cache has no memory. */
    private boolean keep(byte[] from, int offset, int count) {
      try {
        writer.append(from, offset, count);
        return true;
      } catch (OutOfMemoryError e) {
        return false;
      }
    }

    @Override
    public void flush() throws IOException {
      upstream.flush();
    }

    @Override
    public synchronized void close() throws IOException {
      boolean done = false;
      try {
        upstream.close();
        done = true;
      } finally {
        if (!closed) {
          closed = true;
          end(done);
        }
      }
    }

    private void end(boolean complete) {
      ExtendedBlock last = complete && written > 0 ? file.getBlock() : null;
      if (last == null) {
        writer.abandon();
      } else {
        writer.admit(KeptBlocks.identity(last));
      }
      cache.ended(writer);
    }
  }
}
