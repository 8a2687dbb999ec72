// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.mammoth.engine.isolation.TaskProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the codecs that a process's pools hold. The native ones have memory that no collector sees
 * and that a process of its own would give back as it ends. For one release's table; thread-safe.
 */
final class PooledCodecs {

  private static final Logger LOG = LoggerFactory.getLogger(PooledCodecs.class);

  private static final String POOL = "org/apache/hadoop/io/compress/CodecPool";

  private final int holder;
  private final int compressors;
  private final int decompressors;

  PooledCodecs(StaticsTable table) {
    StaticsTable.Holder pool = table.holder(POOL);
    holder = pool.id();
    compressors = pool.slots().get("compressorPool").index();
    decompressors = pool.slots().get("decompressorPool").index();
  }

  /** Ends them; what still runs of the process finds its pools empty. */
  void end(TaskProcess process) {
    Object[] slots = process.statics().ifMade(holder);
    if (slots == null) {
      return;
    }
    for (Object codec : takeAll((Map<?, ?>) slots[compressors])) {
      end(codec, ((Compressor) codec)::end);
    }
    for (Object codec : takeAll((Map<?, ?>) slots[decompressors])) {
      end(codec, ((Decompressor) codec)::end);
    }
  }

  /** Under the locks that CodecPool takes. */
  private static List<Object> takeAll(Map<?, ?> pool) {
    List<Object> taken = new ArrayList<>();
    synchronized (pool) {
      for (Object kept : pool.values()) {
        synchronized (kept) {
          taken.addAll((Set<?>) kept);
          ((Set<?>) kept).clear();
        }
      }
    }
    return taken;
  }

  private static void end(Object codec, Runnable end) {
    try {
      end.run();
    } catch (RuntimeException | LinkageError e) {
      // It may be a job's own class.
      LOG.warn("{} cannot be ended, its native memory may be lost", codec.getClass().getName(), e);
    }
  }
}
