// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.PlatformManagedObject;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationBroadcaster;
import javax.management.NotificationEmitter;
import javax.management.NotificationFilter;
import javax.management.NotificationListener;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of asking for the JVM's heap: the task's, see {@link TaskHeap}.
 * Stateless, thread-safe.
 */
public final class HeapCalls {
  private HeapCalls() {}

  /** {@code Runtime.maxMemory}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static long maxMemory(Runtime self) {
    TaskHeap heap = TaskHeap.ofCaller();
    return heap == null ? self.maxMemory() : heap.bytes();
  }

  /** {@code Runtime.totalMemory}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static long totalMemory(Runtime self) {
    TaskHeap heap = TaskHeap.ofCaller();
    return heap == null ? self.totalMemory() : heap.scaled(self.totalMemory());
  }

  /** {@code Runtime.freeMemory}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static long freeMemory(Runtime self) {
    TaskHeap heap = TaskHeap.ofCaller();
    return heap == null ? self.freeMemory() : heap.scaled(self.freeMemory());
  }

  /** {@code MemoryMXBean.getHeapMemoryUsage}. */
  @Replaces(value = MemoryMXBean.class, receiver = true)
  public static MemoryUsage getHeapMemoryUsage(MemoryMXBean self) {
    TaskHeap heap = TaskHeap.ofCaller();
    return heap == null ? self.getHeapMemoryUsage() : heap.scaled(self.getHeapMemoryUsage());
  }

  /** {@code MemoryPoolMXBean.getUsage}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static MemoryUsage getUsage(MemoryPoolMXBean self) {
    return scaled(self, self.getUsage());
  }

  /** {@code MemoryPoolMXBean.getPeakUsage}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static MemoryUsage getPeakUsage(MemoryPoolMXBean self) {
    return scaled(self, self.getPeakUsage());
  }

  /** {@code MemoryPoolMXBean.getCollectionUsage}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static MemoryUsage getCollectionUsage(MemoryPoolMXBean self) {
    return scaled(self, self.getCollectionUsage());
  }

  private static MemoryUsage scaled(MemoryPoolMXBean pool, MemoryUsage usage) {
    TaskHeap heap = TaskHeap.ofCaller();
    return heap == null ? usage : heap.scaled(pool, usage);
  }

  /** {@code MemoryPoolMXBean.setUsageThreshold}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static void setUsageThreshold(MemoryPoolMXBean self, long bytes) {
    TaskHeap heap = TaskHeap.ofCaller();
    if (heap == null || !self.isUsageThresholdSupported()) {
      ProcessNeed.because("MemoryPoolMXBean.setUsageThreshold");
      self.setUsageThreshold(bytes);
    } else {
      heap.set(self, heap.usage(self), bytes);
    }
  }

  /** {@code MemoryPoolMXBean.setCollectionUsageThreshold}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static void setCollectionUsageThreshold(MemoryPoolMXBean self, long bytes) {
    TaskHeap heap = TaskHeap.ofCaller();
    if (heap == null || !self.isCollectionUsageThresholdSupported()) {
      ProcessNeed.because("MemoryPoolMXBean.setCollectionUsageThreshold");
      self.setCollectionUsageThreshold(bytes);
    } else {
      heap.set(self, heap.collectionUsage(self), bytes);
    }
  }

  /** {@code MemoryPoolMXBean.getUsageThreshold}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static long getUsageThreshold(MemoryPoolMXBean self) {
    TaskHeap heap = TaskHeap.ofCaller();
    long ofEngine = self.getUsageThreshold();
    return heap == null ? ofEngine : heap.usage(self).bytes();
  }

  /** {@code MemoryPoolMXBean.getCollectionUsageThreshold}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static long getCollectionUsageThreshold(MemoryPoolMXBean self) {
    TaskHeap heap = TaskHeap.ofCaller();
    long ofEngine = self.getCollectionUsageThreshold();
    return heap == null ? ofEngine : heap.collectionUsage(self).bytes();
  }

  /** {@code MemoryPoolMXBean.getUsageThresholdCount}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static long getUsageThresholdCount(MemoryPoolMXBean self) {
    TaskHeap heap = TaskHeap.ofCaller();
    long ofEngine = self.getUsageThresholdCount();
    return heap == null ? ofEngine : heap.usage(self).count();
  }

  /** {@code MemoryPoolMXBean.getCollectionUsageThresholdCount}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static long getCollectionUsageThresholdCount(MemoryPoolMXBean self) {
    TaskHeap heap = TaskHeap.ofCaller();
    long ofEngine = self.getCollectionUsageThresholdCount();
    return heap == null ? ofEngine : heap.collectionUsage(self).count();
  }

  /** {@code MemoryPoolMXBean.isUsageThresholdExceeded}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static boolean isUsageThresholdExceeded(MemoryPoolMXBean self) {
    TaskHeap heap = TaskHeap.ofCaller();
    boolean ofEngine = self.isUsageThresholdExceeded();
    return heap == null
        ? ofEngine
        : heap.usage(self).isExceededBy(heap.scaled(self, self.getUsage()).getUsed());
  }

  /** {@code MemoryPoolMXBean.isCollectionUsageThresholdExceeded}. */
  @Replaces(value = MemoryPoolMXBean.class, receiver = true)
  public static boolean isCollectionUsageThresholdExceeded(MemoryPoolMXBean self) {
    TaskHeap heap = TaskHeap.ofCaller();
    boolean ofEngine = self.isCollectionUsageThresholdExceeded();
    return heap == null
        ? ofEngine
        : heap.collectionUsage(self)
            .isExceededBy(heap.scaled(self, self.getCollectionUsage()).getUsed());
  }

  /** {@code NotificationBroadcaster.addNotificationListener}. */
  @Replaces(value = NotificationBroadcaster.class, receiver = true)
  public static void addNotificationListener(
      NotificationBroadcaster self,
      NotificationListener listener,
      NotificationFilter filter,
      Object handback) {
    TaskHeap heap = self instanceof MemoryMXBean ? TaskHeap.ofCaller() : null;
    if (heap == null) {
      self.addNotificationListener(listener, filter, handback);
      removeAtClose(self, listener, filter, handback);
    } else {
      heap.add(listener, filter, handback);
    }
  }

  /** A listener of the JVM's own beans, such as a collector's, would stay as long as the engine. */
  private static void removeAtClose(
      NotificationBroadcaster self,
      NotificationListener listener,
      NotificationFilter filter,
      Object handback) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null
        && self instanceof PlatformManagedObject
        && self instanceof NotificationEmitter) {
      process.atClose(
          () -> {
            try {
              ((NotificationEmitter) self).removeNotificationListener(listener, filter, handback);
            } catch (ListenerNotFoundException alreadyGone) {
              return;
            }
          });
    }
  }

  /** {@code NotificationEmitter.addNotificationListener}. */
  @Replaces(value = NotificationEmitter.class, receiver = true)
  public static void addNotificationListener(
      NotificationEmitter self,
      NotificationListener listener,
      NotificationFilter filter,
      Object handback) {
    addNotificationListener((NotificationBroadcaster) self, listener, filter, handback);
  }

  /** {@code NotificationBroadcaster.removeNotificationListener}. */
  @Replaces(value = NotificationBroadcaster.class, receiver = true)
  public static void removeNotificationListener(
      NotificationBroadcaster self, NotificationListener listener)
      throws ListenerNotFoundException {
    TaskHeap heap = self instanceof MemoryMXBean ? TaskHeap.ofCaller() : null;
    if (heap == null) {
      self.removeNotificationListener(listener);
    } else {
      heap.remove(listener);
    }
  }

  /** {@code NotificationEmitter.removeNotificationListener}. */
  @Replaces(value = NotificationEmitter.class, receiver = true)
  public static void removeNotificationListener(
      NotificationEmitter self, NotificationListener listener) throws ListenerNotFoundException {
    removeNotificationListener((NotificationBroadcaster) self, listener);
  }

  /** {@code NotificationEmitter.removeNotificationListener}. */
  @Replaces(value = NotificationEmitter.class, receiver = true)
  public static void removeNotificationListener(
      NotificationEmitter self,
      NotificationListener listener,
      NotificationFilter filter,
      Object handback)
      throws ListenerNotFoundException {
    TaskHeap heap = self instanceof MemoryMXBean ? TaskHeap.ofCaller() : null;
    if (heap == null) {
      self.removeNotificationListener(listener, filter, handback);
    } else {
      heap.remove(listener, filter, handback);
    }
  }
}
