// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.mapreduce.engine.children.TaskChildren;

/**
 * Ends tasks whose children use more memory than their container has, as upstream's {@code
 * ContainersMonitorImpl} does with the processes of a container, at the same intervals, and only
 * where its keys say so, or where the kernel would end the container by its control group. What the
 * task itself has on the engine's heap does not count here.
 *
 * <p>One thread at a time.
 */
public final class ChildrenLimit {

  private static final long MIB = 1L << 20;

  private final boolean enabled;
  private final long intervalNanos;
  private final LongSupplier nanos;
  private long lookedNanos;

  /**
   * A limit as a NodeManager's configuration has it.
   *
   * @param nanos as {@link System#nanoTime}
   */
  ChildrenLimit(Configuration conf, LongSupplier nanos) {
    this.enabled =
        conf.getBoolean(
                    YarnConfiguration.NM_CONTAINER_MONITOR_ENABLED,
                    YarnConfiguration.DEFAULT_NM_CONTAINER_MONITOR_ENABLED)
                && isPolled(conf)
            || isLimitedByGroup(conf);
    long usual =
        conf.getLong(
            YarnConfiguration.NM_RESOURCE_MON_INTERVAL_MS,
            YarnConfiguration.DEFAULT_NM_RESOURCE_MON_INTERVAL_MS);
    this.intervalNanos =
        TimeUnit.MILLISECONDS.toNanos(
            conf.getLong(YarnConfiguration.NM_CONTAINER_MON_INTERVAL_MS, usual));
    this.nanos = nanos;
    this.lookedNanos = nanos.getAsLong();
  }

  /** Whether upstream looks itself, and does not rely on the kernel, as it does by default. */
  private static boolean isPolled(Configuration conf) {
    return conf.getBoolean(
            YarnConfiguration.NM_PMEM_CHECK_ENABLED,
            YarnConfiguration.DEFAULT_NM_PMEM_CHECK_ENABLED)
        && (!isEnforced(conf)
            || conf.getBoolean(
                YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED,
                YarnConfiguration.DEFAULT_NM_ELASTIC_MEMORY_CONTROL_ENABLED));
  }

  /**
   * Whether the kernel would end a container at its size. An engine's control group has the size of
   * all its tasks, so that the kernel ends nobody before all of that is used, and then whoever is
   * largest, which is the engine.
   */
  private static boolean isLimitedByGroup(Configuration conf) {
    return isEnforced(conf)
        && conf.getBoolean(
            YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED,
            YarnConfiguration.DEFAULT_NM_MEMORY_RESOURCE_ENABLED);
  }

  private static boolean isEnforced(Configuration conf) {
    return conf.getBoolean(
        YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED,
        YarnConfiguration.DEFAULT_NM_MEMORY_RESOURCE_ENFORCED);
  }

  /** Looks at all tasks if it is time to. */
  void look(Iterable<HostedContainer> running) {
    long now = nanos.getAsLong();
    if (!enabled || now - lookedNanos < intervalNanos) {
      return;
    }
    lookedNanos = now;
    for (HostedContainer container : running) {
      TaskChildren children = container.children();
      long limit = container.spec().memoryMb() * MIB;
      if (children == null) {
        continue;
      }
      children.look();
      if (children.exceed(limit)) {
        container.failForChildren(
            String.format(
                "The programs that %s has started use %s of memory, and its container %s has %s:"
                    + " the task is ended, as its container would be"
                    + " (mapreduce.map.memory.mb, mapreduce.reduce.memory.mb).%n%s",
                container.name(),
                inWords(children.residentBytes()),
                container.containerId(),
                inWords(limit),
                children.table()));
      }
    }
  }

  private static String inWords(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }
}
