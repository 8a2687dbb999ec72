package org.mammoth.engine.isolation;

import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;

/**
 * What rewritten code calls instead of asking for the JVM's registry of management beans: each task
 * has one of its own, with the JVM's beans in it. Stateless, thread-safe.
 */
public final class BeanCalls {
  private BeanCalls() {}

  /** {@code ManagementFactory.getPlatformMBeanServer}. */
  @Replaces(ManagementFactory.class)
  public static MBeanServer getPlatformMBeanServer() {
    TaskProcess process = Owners.callerOrNull();
    return process == null
        ? ManagementFactory.getPlatformMBeanServer()
        : process.part(MBeanServer.class, BeanCalls::newServer);
  }

  private static MBeanServer newServer() {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    for (Class<? extends PlatformManagedObject> type :
        ManagementFactory.getPlatformManagementInterfaces()) {
      for (PlatformManagedObject bean : ManagementFactory.getPlatformMXBeans(type)) {
        try {
          if (!server.isRegistered(bean.getObjectName())) {
            server.registerMBean(bean, bean.getObjectName());
          }
        } catch (JMException e) {
          throw new IllegalStateException("the JVM's bean " + bean.getObjectName(), e);
        }
      }
    }
    return server;
  }
}
