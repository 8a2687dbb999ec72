// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of asking for the JVM's registries of management beans: each
 * task has its own, see {@link TaskBeans}. Stateless, thread-safe.
 */
public final class BeanCalls {
  private static final Set<String> OF_JVM =
      Set.of(
          "com.sun.management", "java.lang", "java.nio", "java.util.logging", "jdk.management.jfr");

  /** Operations of these that change the JVM, or show all of it. */
  private static final Set<String> CHANGING =
      Set.of("dumpHeap", "resetPeakThreadCount", "resetPeakUsage", "setLoggerLevel", "setVMOption");

  private BeanCalls() {}

  /** {@code ManagementFactory.getPlatformMBeanServer}. */
  @Replaces(ManagementFactory.class)
  public static MBeanServer getPlatformMBeanServer() {
    TaskBeans beans = TaskBeans.ofCaller();
    return beans == null ? ManagementFactory.getPlatformMBeanServer() : beans.platform();
  }

  /** {@code MBeanServer.setAttribute}: the JVM's own beans are in each task's server. */
  @Replaces(value = MBeanServer.class, receiver = true)
  public static void setAttribute(MBeanServer self, ObjectName name, Attribute attribute)
      throws JMException {
    changing(name, "setAttribute");
    self.setAttribute(name, attribute);
  }

  /** {@code MBeanServer.setAttributes}. */
  @Replaces(value = MBeanServer.class, receiver = true)
  public static AttributeList setAttributes(MBeanServer self, ObjectName name, AttributeList list)
      throws InstanceNotFoundException, ReflectionException {
    changing(name, "setAttributes");
    return self.setAttributes(name, list);
  }

  /** {@code MBeanServer.invoke}. */
  @Replaces(value = MBeanServer.class, receiver = true)
  public static Object invoke(
      MBeanServer self, ObjectName name, String operation, Object[] arguments, String[] types)
      throws InstanceNotFoundException, MBeanException, ReflectionException {
    if (CHANGING.contains(String.valueOf(operation))) {
      changing(name, operation);
    }
    return self.invoke(name, operation, arguments, types);
  }

  private static void changing(ObjectName name, String what) {
    if (name != null && OF_JVM.contains(name.getDomain())) {
      ProcessNeed.because("MBeanServer.%s of %s".formatted(what, name));
    }
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
