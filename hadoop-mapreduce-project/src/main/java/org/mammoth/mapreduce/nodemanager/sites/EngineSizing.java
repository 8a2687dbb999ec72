// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.config.MemoryKeys;
import org.mammoth.engine.memory.CgroupLimit;
import org.mammoth.engine.memory.MemorySizing;
import org.mammoth.engine.memory.PageAligned;
import org.mammoth.mapreduce.engine.memory.NodeMemory;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;
import org.mammoth.mapreduce.protocol.EngineHome;

/**
 * How large the engine is on this node, from the node's configuration.
 *
 * @param shareMb the engine's part of the node, MiB; 0 for a host of ApplicationMasters
 * @param dividedMb what of it heap and pools were divided of, MiB: less where a control group has
 *     less
 * @param heapMb the engine's maximum Java heap, MiB
 * @param directMb what its cache pool takes outside the heap, MiB
 */
public record EngineSizing(long shareMb, long dividedMb, long heapMb, long directMb) {

  /** Of a node on which no engine can be. */
  public static final EngineSizing NONE = new EngineSizing(0, 0, 0);

  /** No control group's limit, MiB. */
  public static final long UNLIMITED_MB = Long.MAX_VALUE >> 20;

  private static final long MIB = 1L << 20;

  private static final long SMALLEST_SHARE_MB = 256;

  /** Direct buffers of the RPC and HTTP libraries, of HDFS and of readers ahead. */
  private static final long LIBRARIES_MB = 256;

  /** Direct buffers of a task: codecs, and the JDK's own for channels. */
  private static final long DIRECT_OF_TASK_MB = 64;

  /** One that has all that it was given. */
  public EngineSizing(long shareMb, long heapMb, long directMb) {
    this(shareMb, shareMb, heapMb, directMb);
  }

  /** The size that {@link #toSize} was called of. */
  public static EngineSizing of(EngineHome.Size size) {
    return new EngineSizing(size.share(), size.heap(), size.direct());
  }

  /** As it is kept in the engine's home. */
  EngineHome.Size toSize() {
    return new EngineHome.Size(shareMb, heapMb, directMb);
  }

  /**
   * What in-engine tasks may ask for together, MiB. An engine that has a fraction of the node takes
   * whatever YARN places there: the share says how large its JVM is, and a task that was turned
   * away would have its process's memory beside it. One whose share is told keeps to it.
   */
  public long admittedMb(Configuration conf) {
    if (shareMb == 0) {
      return Long.MAX_VALUE;
    }
    if (EngineKeys.MEMORY_MB.get(conf) > 0) {
      return shareMb;
    }
    // The share was rounded down.
    long mostMb = (long) Math.ceil((shareMb + 1) / EngineKeys.MEMORY_FRACTION.get(conf));
    return Math.min(mostMb, NodeManagerHardwareUtils.getContainerMemoryMB(conf));
  }

  /**
   * What control groups of an engine are made for. The memory is that of all tasks which YARN may
   * place in it, as they would have it in groups of their own; processors are those of the tasks
   * that are in it, by their part of the node's memory, so that an engine weighs against ordinary
   * containers as its tasks would.
   *
   * @param usedMb what tasks in it have asked for together, MiB
   */
  public UserProcesses.Size groups(Configuration conf, long usedMb) {
    if (shareMb == 0) {
      return new UserProcesses.Size(heapMb + directMb + Math.max(512, heapMb / 4), 1);
    }
    long node = NodeManagerHardwareUtils.getContainerMemoryMB(conf);
    int vcores = NodeManagerHardwareUtils.getVCores(conf);
    long weight = Math.min(vcores, Math.round((double) vcores * usedMb / Math.max(1, node)));
    return new UserProcesses.Size(admittedMb(conf), (int) Math.max(1, weight));
  }

  /** What an engine has that is alone on its node and in no control group. */
  public static EngineSizing of(Configuration conf) {
    return of(conf, 1, UNLIMITED_MB);
  }

  /** The limit of the control groups that this process is in, and its children, MiB. */
  public static long ownLimitMb() {
    try {
      return CgroupLimit.read(Path.of("/")).orElse(Long.MAX_VALUE) / MIB;
    } catch (IOException e) {
      throw new UncheckedIOException("the node's memory limit can't be read", e);
    }
  }

  /**
   * Reads the keys.
   *
   * @param part of the node's share, above 0 and up to 1
   * @param limitMb of the control group that the engine will be in
   * @throws IllegalArgumentException naming the key if the share is too small to run anything
   */
  public static EngineSizing of(Configuration conf, double part, long limitMb) {
    long configured = EngineKeys.MEMORY_MB.get(conf);
    // What the NodeManager offers to YARN, found out from the hardware where it is told to.
    long node = NodeManagerHardwareUtils.getContainerMemoryMB(conf);
    long whole = configured > 0 ? configured : (long) (node * EngineKeys.MEMORY_FRACTION.get(conf));
    long share = (long) (whole * part);
    if (share < SMALLEST_SHARE_MB) {
      throw new IllegalArgumentException(
          "The engine's share of this node would be "
              + share
              + " MiB"
              + (part < 1 ? ", its user's part of " + whole + " MiB" : "")
              + ", at least "
              + SMALLEST_SHARE_MB
              + " is needed. Raise "
              + EngineKeys.MEMORY_MB.name()
              + " or "
              + YarnConfiguration.NM_PMEM_MB
              + ".");
    }
    MemorySizing memory = NodeMemory.size(conf, share, limitMb);
    long direct = memory.bufferType() == BufferType.DIRECT ? memory.poolBytes() : 0;
    return new EngineSizing(
        share, memory.shareBytes() / MIB, memory.heapBytes() / MIB, direct / MIB);
  }

  /**
   * What an engine's JVM may allocate outside its heap, MiB: its pool, with what the JVM adds to
   * each unit, and what libraries and tasks allocate beside it. A limit takes nothing; one that is
   * too low has a task that needs a little fail, or the pool end before its size.
   */
  long directLimitMb(Configuration conf) {
    if (shareMb == 0) {
      return directMb + LIBRARIES_MB;
    }
    long added = directMb * 1024 / MemoryKeys.UNIT_KB.get(conf) * PageAligned.ADDED_BYTES;
    long tasks = (long) NodeMemory.mapSlots(conf, shareMb) * DIRECT_OF_TASK_MB;
    return directMb + (added + MIB - 1) / MIB + LIBRARIES_MB + tasks;
  }
}
