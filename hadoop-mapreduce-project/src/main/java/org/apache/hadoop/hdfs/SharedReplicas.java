// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks that are read past the DataNode. Upstream's client has each block's file open once in a
 * JVM, for all who read it; in an engine these are tasks of several jobs. The interrupt that ends
 * one of them would close the file under the others, and under the next attempt of the same map.
 *
 * <p>Neither upstream nor the JDK's public classes have a way to prevent that; where theirs are
 * other ones than are known here, all is as upstream has it.
 */
final class SharedReplicas {

  private static final String READER = "org.apache.hadoop.hdfs.client.impl.BlockReaderLocal";

  private static final Logger LOG = LoggerFactory.getLogger(SharedReplicas.class);

  private SharedReplicas() {}

  /** The same reader; what it shares with others stays open whoever is interrupted. */
  static BlockReader keptOpen(BlockReader reader) {
    if (reader != null && reader.getClass().getName().equals(READER)) {
      try {
        ignoreInterrupts(reader, "dataIn");
        ignoreInterrupts(reader, "checksumIn");
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.debug("An interrupt may close {} under others, as upstream has it", reader, e);
      }
    }
    return reader;
  }

  private static void ignoreInterrupts(BlockReader reader, String name)
      throws ReflectiveOperationException {
    Field field = reader.getClass().getDeclaredField(name);
    field.setAccessible(true);
    Object channel = field.get(reader);
    if (channel != null) {
      // Engines open this package to all.
      Method method = channel.getClass().getDeclaredMethod("setUninterruptible");
      method.setAccessible(true);
      method.invoke(channel);
    }
  }
}
