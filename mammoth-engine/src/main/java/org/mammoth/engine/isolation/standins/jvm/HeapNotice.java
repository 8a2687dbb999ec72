// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryUsage;
import javax.management.Notification;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;

/** Notifications of memory as the JVM sends them. Stateless. */
final class HeapNotice {
  private static final String[] USE = {"init", "used", "committed", "max"};
  private static final String[] INFO = {"poolName", "usage", "count"};

  private HeapNotice() {}

  /**
   * That a pool's use has risen to a threshold.
   *
   * @param type of the notification, a constant of {@link MemoryNotificationInfo}
   * @param count how often it has
   */
  static Notification of(String type, String pool, MemoryUsage usage, long count) {
    try {
      Notification notice =
          new Notification(
              type,
              ManagementFactory.getMemoryMXBean().getObjectName(),
              count,
              System.currentTimeMillis(),
              "Memory usage exceeds "
                  + (isOfCollection(type) ? "collection usage" : "usage")
                  + " threshold");
      notice.setUserData(info(pool, usage, count));
      return notice;
    } catch (OpenDataException e) {
      throw new IllegalStateException("no notification of " + pool, e);
    }
  }

  private static boolean isOfCollection(String type) {
    return type.equals(MemoryNotificationInfo.MEMORY_COLLECTION_THRESHOLD_EXCEEDED);
  }

  private static CompositeData info(String pool, MemoryUsage usage, long count)
      throws OpenDataException {
    OpenType<?>[] longs = {SimpleType.LONG, SimpleType.LONG, SimpleType.LONG, SimpleType.LONG};
    String name = MemoryUsage.class.getName();
    CompositeType use = new CompositeType(name, name, USE, USE, longs);
    Object[] values = {usage.getInit(), usage.getUsed(), usage.getCommitted(), usage.getMax()};
    OpenType<?>[] types = {SimpleType.STRING, use, SimpleType.LONG};
    String info = MemoryNotificationInfo.class.getName();
    return new CompositeDataSupport(
        new CompositeType(info, info, INFO, INFO, types),
        INFO,
        new Object[] {pool, new CompositeDataSupport(use, USE, values), count});
  }
}
