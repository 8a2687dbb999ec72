// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationFilter;
import javax.management.NotificationListener;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The heap as one task sees it: of the size that its process would have, and as full as the
 * engine's. Programs size their tables and bags by it, and let go of them when they are told that
 * it fills; were they shown the engine's, each would take what all have together.
 *
 * <p>Thresholds are looked at after each collection, which is when a pool of old objects changes.
 * Thread-safe.
 */
final class TaskHeap {

  private record Listening(
      NotificationListener listener, NotificationFilter filter, Object handback) {}

  private final TaskProcess process;
  private final long bytes;
  private final Map<String, PoolThreshold> usage = new ConcurrentHashMap<>();
  private final Map<String, PoolThreshold> collectionUsage = new ConcurrentHashMap<>();
  private final List<Listening> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean watching = new AtomicBoolean();

  private final NotificationListener onCollection = (notice, handback) -> collected();

  private TaskHeap(TaskProcess process) {
    this.process = process;
    this.bytes = process.heapBytes();
  }

  /** That of the calling task; null when the engine calls, or the task's heap has no size. */
  static TaskHeap ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    return process == null || process.heapBytes() == 0
        ? null
        : process.part(TaskHeap.class, () -> new TaskHeap(process));
  }

  long bytes() {
    return bytes;
  }

  /** Bytes of the engine's heap, as many of the task's. */
  long scaled(long ofEngine) {
    double part = (double) bytes / Runtime.getRuntime().maxMemory();
    return ofEngine < 0 ? ofEngine : (long) Math.min(bytes, ofEngine * part);
  }

  /** How the engine's heap, or a part of it, is used, as one of the task's would be. */
  MemoryUsage scaled(MemoryUsage ofEngine) {
    if (ofEngine == null) {
      return null;
    }
    return new MemoryUsage(
        scaled(ofEngine.getInit()),
        scaled(ofEngine.getUsed()),
        scaled(ofEngine.getCommitted()),
        scaled(ofEngine.getMax()));
  }

  /** The same of a pool, which may be none of the heap's. */
  MemoryUsage scaled(MemoryPoolMXBean pool, MemoryUsage ofEngine) {
    return pool.getType() == MemoryType.HEAP ? scaled(ofEngine) : ofEngine;
  }

  PoolThreshold usage(MemoryPoolMXBean pool) {
    return usage.computeIfAbsent(pool.getName(), name -> new PoolThreshold());
  }

  PoolThreshold collectionUsage(MemoryPoolMXBean pool) {
    return collectionUsage.computeIfAbsent(pool.getName(), name -> new PoolThreshold());
  }

  /**
   * Sets a threshold of a pool.
   *
   * @throws IllegalArgumentException if the pool is smaller
   */
  void set(MemoryPoolMXBean pool, PoolThreshold threshold, long newBytes) {
    long max = scaled(pool, pool.getUsage()).getMax();
    if (newBytes < 0 || max >= 0 && newBytes > max) {
      throw new IllegalArgumentException(
          "Invalid threshold: " + newBytes + " of " + pool.getName() + ", which has " + max);
    }
    threshold.set(newBytes);
    watch();
  }

  void add(NotificationListener listener, NotificationFilter filter, Object handback) {
    if (listener == null) {
      throw new IllegalArgumentException("Listener can't be null");
    }
    listeners.add(new Listening(listener, filter, handback));
    watch();
  }

  void remove(NotificationListener listener) throws ListenerNotFoundException {
    if (!listeners.removeIf(each -> each.listener() == listener)) {
      throw new ListenerNotFoundException("Listener not registered");
    }
  }

  void remove(NotificationListener listener, NotificationFilter filter, Object handback)
      throws ListenerNotFoundException {
    Listening gone =
        listeners.stream()
            .filter(
                each ->
                    each.listener() == listener
                        && each.filter() == filter
                        && each.handback() == handback)
            .findFirst()
            .orElseThrow(() -> new ListenerNotFoundException("Listener not registered"));
    listeners.remove(gone);
  }

  private void watch() {
    if (watching.compareAndSet(false, true)) {
      for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
        ((NotificationEmitter) each).addNotificationListener(onCollection, null, null);
      }
      process.atClose(this::unwatch);
    }
  }

  private void unwatch() {
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      try {
        ((NotificationEmitter) each).removeNotificationListener(onCollection);
      } catch (ListenerNotFoundException alreadyGone) {
        continue;
      }
    }
  }

  /** Looks at all pools; called by the JVM, which waits. */
  void collected() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      look(
          pool,
          usage.get(pool.getName()),
          scaled(pool, pool.getUsage()),
          MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED);
      look(
          pool,
          collectionUsage.get(pool.getName()),
          scaled(pool, pool.getCollectionUsage()),
          MemoryNotificationInfo.MEMORY_COLLECTION_THRESHOLD_EXCEEDED);
    }
  }

  private void look(MemoryPoolMXBean pool, PoolThreshold threshold, MemoryUsage used, String type) {
    if (threshold == null || used == null || !threshold.rises(used.getUsed())) {
      return;
    }
    if (!listeners.isEmpty()) {
      Notification notice = HeapNotice.of(type, pool.getName(), used, threshold.count());
      // The JVM's own thread must not wait for a job's code.
      Thread teller = new Thread(process.threads(), () -> tell(notice), "Notification Thread");
      teller.setDaemon(true);
      teller.start();
    }
  }

  private void tell(Notification notice) {
    for (Listening each : listeners) {
      if (each.filter() == null || each.filter().isNotificationEnabled(notice)) {
        each.listener().handleNotification(notice, each.handback());
      }
    }
  }
}
