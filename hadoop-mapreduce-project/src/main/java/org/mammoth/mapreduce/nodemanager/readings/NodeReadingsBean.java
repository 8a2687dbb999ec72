// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import java.lang.management.ManagementFactory;
import java.util.function.IntSupplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.mammoth.api.Beans;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link NodeReadingsMXBean} over the node's readings. */
public final class NodeReadingsBean implements NodeReadingsMXBean {

  private static final Logger LOG = LoggerFactory.getLogger(NodeReadingsBean.class);
  private static final int LATEST = 64;

  private final NodeReadings readings;
  private final IntSupplier adminPort;

  NodeReadingsBean(NodeReadings readings, IntSupplier adminPort) {
    this.readings = readings;
    this.adminPort = adminPort;
  }

  /** Makes it readable; returns what {@link #unregister} needs. */
  public static ObjectName register(NodeReadings readings, IntSupplier adminPort) {
    try {
      ObjectName name = new ObjectName(Beans.READINGS);
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new NodeReadingsBean(readings, adminPort), name);
      return name;
    } catch (JMException e) {
      LOG.warn("The console cannot read this node's engines", e);
      return null;
    }
  }

  /** Takes it away; null does nothing. */
  public static void unregister(ObjectName name) {
    if (name == null) {
      return;
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      LOG.warn("{} stays registered", name, e);
    }
  }

  @Override
  public String getSnapshot() {
    return readings.snapshotJson();
  }

  @Override
  public String getDecisions() {
    return readings.decisionsJson(EngineWatch.DECISIONS);
  }

  @Override
  public String getLatestDecisions() {
    return readings.decisionsJson(LATEST);
  }

  @Override
  public int getAdminPort() {
    return adminPort.getAsInt();
  }
}
