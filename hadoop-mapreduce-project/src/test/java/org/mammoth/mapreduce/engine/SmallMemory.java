// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.mapreduce.engine.memory.NodeMemory;

/** A node's memory as an engine of 1 GiB has it, with small pools. */
public final class SmallMemory {

  private SmallMemory() {}

  /**
   * Opens it.
   *
   * @param conf gets the keys
   * @param localDirs of the node
   */
  public static NodeMemory open(Configuration conf, Path... localDirs) {
    conf.set(
        YarnConfiguration.NM_LOCAL_DIRS,
        Arrays.stream(localDirs).map(Path::toString).collect(Collectors.joining(",")));
    conf.setInt("mammoth.memory.unit-kb", 64);
    conf.setInt("mammoth.memory.element-queue-mb", 4);
    conf.set("mammoth.memory.pool-fraction", "0.05");
    System.setProperty(NodeMemory.SHARE_PROPERTY, "1024");
    try {
      return NodeMemory.open(conf);
    } finally {
      System.clearProperty(NodeMemory.SHARE_PROPERTY);
    }
  }
}
