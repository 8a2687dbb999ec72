// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerFactory;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The registries of management beans of one task, as {@link MBeanServerFactory} keeps them for a
 * process: the platform's, with the JVM's beans in it, and those that the task makes. Thread-safe.
 */
final class TaskBeans {
  private final List<MBeanServer> servers = new ArrayList<>();
  private MBeanServer platform;

  private TaskBeans() {}

  /** Those of the calling task, or null when it is the engine's own call. */
  static TaskBeans ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : process.part(TaskBeans.class, TaskBeans::new);
  }

  synchronized MBeanServer platform() {
    if (platform == null) {
      platform = add(MBeanServerFactory.newMBeanServer());
      ManagementFactory.getPlatformManagementInterfaces().forEach(this::registerAll);
    }
    return platform;
  }

  private void registerAll(Class<? extends PlatformManagedObject> type) {
    for (PlatformManagedObject bean : ManagementFactory.getPlatformMXBeans(type)) {
      try {
        if (!platform.isRegistered(bean.getObjectName())) {
          platform.registerMBean(bean, bean.getObjectName());
        }
      } catch (JMException e) {
        throw new IllegalStateException("the JVM's bean " + bean.getObjectName(), e);
      }
    }
  }

  synchronized MBeanServer add(MBeanServer server) {
    servers.add(server);
    return server;
  }

  /**
   * Forgets a server.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  synchronized void release(MBeanServer server) {
    if (!servers.remove(server)) {
      throw new IllegalArgumentException("MBeanServer not in list!");
    }
  }

  /**
   * Servers by their identity, of which there is one at most.
   *
   * @param id null for all
   */
  synchronized ArrayList<MBeanServer> find(String id) {
    ArrayList<MBeanServer> found = new ArrayList<>(servers);
    found.removeIf(server -> id != null && !id.equals(identity(server)));
    return found;
  }

  private static Object identity(MBeanServer server) {
    try {
      return server.getAttribute(MBeanServerDelegate.DELEGATE_NAME, "MBeanServerId");
    } catch (JMException e) {
      return null;
    }
  }
}
