// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The generations of the engine's heap, and what collections leave in them. Thread-safe. */
public class HeapPools {

  private static final String FULL = "end of major GC";

  private final Set<String> names = new HashSet<>();
  private final MemoryPoolMXBean old;
  private final MemoryPoolMXBean eden;

  public HeapPools() {
    MemoryPoolMXBean largestOld = null;
    MemoryPoolMXBean young = null;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        names.add(pool.getName());
        if (pool.getName().contains("Old") || pool.getName().contains("Tenured")) {
          largestOld = pool;
        } else if (pool.getName().contains("Eden")) {
          young = pool;
        }
      }
    }
    old = largestOld;
    eden = young;
  }

  /** The most the heap may grow to, bytes. */
  long maxBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  /** Bytes of objects, garbage included, that have outlived some collections. */
  long oldBytes() {
    return old == null ? usedBytes() : old.getUsage().getUsed();
  }

  /** Bytes of objects, garbage included. */
  long usedBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** The largest array that could be allocated after a full collection, or nearly. */
  long largestFreeBytes() {
    if (old == null || eden == null || old.getUsage().getMax() < 0) {
      return maxBytes() - usedBytes();
    }
    // Larger ones than half of it are not put into the young generation.
    long inEden = Math.max(0, eden.getUsage().getMax()) / 2;
    return Math.max(old.getUsage().getMax() - old.getUsage().getUsed(), inEden);
  }

  /** Collects all of the heap. */
  void collect() {
    System.gc();
  }

  /** Has {@code listener} told, on a thread of the JVM's, what each full collection leaves. */
  void onFullCollection(LongConsumer listener) {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(
            (notification, handback) -> {
              GarbageCollectionNotificationInfo info =
                  GarbageCollectionNotificationInfo.from(
                      (CompositeData) notification.getUserData());
              if (info.getGcAction().equals(FULL)) {
                listener.accept(sum(info.getGcInfo().getMemoryUsageAfterGc()));
              }
            },
            notification ->
                notification
                    .getType()
                    .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
            null);
      }
    }
  }

  private long sum(Map<String, MemoryUsage> after) {
    long bytes = 0;
    for (Map.Entry<String, MemoryUsage> pool : after.entrySet()) {
      bytes += names.contains(pool.getKey()) ? pool.getValue().getUsed() : 0;
    }
    return bytes;
  }
}
