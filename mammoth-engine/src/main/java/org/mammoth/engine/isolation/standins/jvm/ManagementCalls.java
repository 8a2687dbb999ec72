// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.beans.Introspector;
import java.beans.PropertyEditorManager;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactoryBuilder;
import javax.naming.spi.NamingManager;
import javax.naming.spi.ObjectFactoryBuilder;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of the JVM's switches and registries, which cannot be confined:
 * the task goes on in a process of its own. Stateless, thread-safe.
 */
public final class ManagementCalls {
  private ManagementCalls() {}

  /** {@code HotSpotDiagnosticMXBean.setVMOption}. */
  @Replaces(value = HotSpotDiagnosticMXBean.class, receiver = true)
  public static void setVMOption(HotSpotDiagnosticMXBean self, String name, String value) {
    ProcessNeed.because("HotSpotDiagnosticMXBean.setVMOption");
    self.setVMOption(name, value);
  }

  /** {@code ClassLoadingMXBean.setVerbose}. */
  @Replaces(value = ClassLoadingMXBean.class, receiver = true)
  public static void setVerbose(ClassLoadingMXBean self, boolean verbose) {
    ProcessNeed.because("ClassLoadingMXBean.setVerbose");
    self.setVerbose(verbose);
  }

  /** {@code MemoryMXBean.setVerbose}. */
  @Replaces(value = MemoryMXBean.class, receiver = true)
  public static void setVerbose(MemoryMXBean self, boolean verbose) {
    ProcessNeed.because("MemoryMXBean.setVerbose");
    self.setVerbose(verbose);
  }

  /** {@code ThreadMXBean.setThreadCpuTimeEnabled}. */
  @Replaces(value = ThreadMXBean.class, receiver = true)
  public static void setThreadCpuTimeEnabled(ThreadMXBean self, boolean enabled) {
    ProcessNeed.because("ThreadMXBean.setThreadCpuTimeEnabled");
    self.setThreadCpuTimeEnabled(enabled);
  }

  /** {@code ThreadMXBean.setThreadContentionMonitoringEnabled}. */
  @Replaces(value = ThreadMXBean.class, receiver = true)
  public static void setThreadContentionMonitoringEnabled(ThreadMXBean self, boolean enabled) {
    ProcessNeed.because("ThreadMXBean.setThreadContentionMonitoringEnabled");
    self.setThreadContentionMonitoringEnabled(enabled);
  }

  /** {@code PropertyEditorManager.registerEditor}. */
  @Replaces(PropertyEditorManager.class)
  public static void registerEditor(Class<?> type, Class<?> editor) {
    ProcessNeed.because("PropertyEditorManager.registerEditor");
    PropertyEditorManager.registerEditor(type, editor);
  }

  /** {@code PropertyEditorManager.setEditorSearchPath}. */
  @Replaces(PropertyEditorManager.class)
  public static void setEditorSearchPath(String[] path) {
    ProcessNeed.because("PropertyEditorManager.setEditorSearchPath");
    PropertyEditorManager.setEditorSearchPath(path);
  }

  /** {@code Introspector.setBeanInfoSearchPath}. */
  @Replaces(Introspector.class)
  public static void setBeanInfoSearchPath(String[] path) {
    ProcessNeed.because("Introspector.setBeanInfoSearchPath");
    Introspector.setBeanInfoSearchPath(path);
  }

  /** {@code NamingManager.setInitialContextFactoryBuilder}. */
  @Replaces(NamingManager.class)
  public static void setInitialContextFactoryBuilder(InitialContextFactoryBuilder builder)
      throws NamingException {
    ProcessNeed.because("NamingManager.setInitialContextFactoryBuilder");
    NamingManager.setInitialContextFactoryBuilder(builder);
  }

  /** {@code NamingManager.setObjectFactoryBuilder}. */
  @Replaces(NamingManager.class)
  public static void setObjectFactoryBuilder(ObjectFactoryBuilder builder) throws NamingException {
    ProcessNeed.because("NamingManager.setObjectFactoryBuilder");
    NamingManager.setObjectFactoryBuilder(builder);
  }
}
