package org.mammoth.engine.isolation;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;

/**
 * What rewritten code calls instead of asking for the JVM's registries of management beans: each
 * task has its own, see {@link TaskBeans}. Stateless, thread-safe.
 */
public final class BeanCalls {
  private BeanCalls() {}

  /** {@code ManagementFactory.getPlatformMBeanServer}. */
  @Replaces(ManagementFactory.class)
  public static MBeanServer getPlatformMBeanServer() {
    TaskBeans beans = TaskBeans.ofCaller();
    return beans == null ? ManagementFactory.getPlatformMBeanServer() : beans.platform();
  }

  /** {@code MBeanServerFactory.createMBeanServer}. */
  @Replaces(MBeanServerFactory.class)
  public static MBeanServer createMBeanServer() {
    TaskBeans beans = TaskBeans.ofCaller();
    return beans == null
        ? MBeanServerFactory.createMBeanServer()
        : beans.add(MBeanServerFactory.newMBeanServer());
  }

  /** {@code MBeanServerFactory.createMBeanServer}. */
  @Replaces(MBeanServerFactory.class)
  public static MBeanServer createMBeanServer(String domain) {
    TaskBeans beans = TaskBeans.ofCaller();
    return beans == null
        ? MBeanServerFactory.createMBeanServer(domain)
        : beans.add(MBeanServerFactory.newMBeanServer(domain));
  }

  /** {@code MBeanServerFactory.findMBeanServer}. */
  @Replaces(MBeanServerFactory.class)
  public static ArrayList<MBeanServer> findMBeanServer(String id) {
    TaskBeans beans = TaskBeans.ofCaller();
    return beans == null ? MBeanServerFactory.findMBeanServer(id) : beans.find(id);
  }

  /** {@code MBeanServerFactory.releaseMBeanServer}. */
  @Replaces(MBeanServerFactory.class)
  public static void releaseMBeanServer(MBeanServer server) {
    TaskBeans beans = TaskBeans.ofCaller();
    if (beans == null) {
      MBeanServerFactory.releaseMBeanServer(server);
    } else {
      beans.release(server);
    }
  }
}
