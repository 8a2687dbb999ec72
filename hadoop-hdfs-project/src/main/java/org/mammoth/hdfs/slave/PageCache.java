// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.apache.hadoop.util.CleanerUtil;
import org.mammoth.hdfs.replicas.Replicas;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Asks the kernel which replicas are in its page cache ({@code mincore}): these can be read without
 * their disk. Maps a replica's file window by window and touches none of its bytes. Safe for any
 * thread.
 */
final class PageCache {

  /** Bytes asked about at once; a window with one page on disk only counts as a whole. */
  static final int WINDOW = 1 << 20;

  /** One window of so many may be on disk only. */
  private static final int MISSES = 32;

  private final Replicas replicas;

  PageCache(Replicas replicas) {
    this.replicas = replicas;
  }

  /**
   * Whether next to all of a replica is in the page cache; false also if that cannot be told, as on
   * a system without {@code mincore}.
   */
  boolean holds(BlockKey key) {
    if (!CleanerUtil.UNMAP_SUPPORTED) {
      return false;
    }
    try (InputStream data = replicas.data(key, 0)) {
      return data instanceof FileInputStream file && holds(file.getChannel(), key.length());
    } catch (IOException e) {
      // It has gone or its disk fails: whoever reads it next says so.
      return false;
    }
  }

  static boolean holds(FileChannel file, long length) throws IOException {
    long windows = (length + WINDOW - 1) / WINDOW;
    long missesLeft = windows / MISSES;
    // Readers go from the beginning on, so that what is not read yet shows at the end.
    for (long window = windows - 1; window >= 0; window--) {
      long offset = window * WINDOW;
      if (!isLoaded(file, offset, Math.min(WINDOW, length - offset)) && missesLeft-- == 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLoaded(FileChannel file, long offset, long bytes) throws IOException {
    MappedByteBuffer window = file.map(MapMode.READ_ONLY, offset, bytes);
    try {
      return window.isLoaded();
    } finally {
      CleanerUtil.getCleaner().freeBuffer(window);
    }
  }
}
