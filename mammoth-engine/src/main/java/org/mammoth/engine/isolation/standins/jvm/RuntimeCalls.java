// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.management.RuntimeMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskIdentity;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of asking for the running program: the task's name, number,
 * properties and children are its own, see {@link TaskIdentity}. Stateless, thread-safe.
 */
public final class RuntimeCalls {
  private RuntimeCalls() {}

  /** {@code RuntimeMXBean.getName}. */
  @Replaces(value = RuntimeMXBean.class, receiver = true)
  public static String getName(RuntimeMXBean self) {
    TaskIdentity own = TaskIdentity.ofCaller();
    String name = self.getName();
    return own == null ? name : own.pid() + name.substring(Math.max(0, name.indexOf('@')));
  }

  /** {@code RuntimeMXBean.getPid}. */
  @Replaces(value = RuntimeMXBean.class, receiver = true)
  public static long getPid(RuntimeMXBean self) {
    TaskIdentity own = TaskIdentity.ofCaller();
    return own == null ? self.getPid() : own.pid();
  }

  /** {@code RuntimeMXBean.getSystemProperties}. */
  @Replaces(value = RuntimeMXBean.class, receiver = true)
  public static Map<String, String> getSystemProperties(RuntimeMXBean self) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return self.getSystemProperties();
    }
    Map<String, String> own = new HashMap<>();
    for (String key : process.properties().stringPropertyNames()) {
      own.put(key, process.properties().getProperty(key));
    }
    return own;
  }

  /** {@code RuntimeMXBean.getClassPath}. */
  @Replaces(value = RuntimeMXBean.class, receiver = true)
  public static String getClassPath(RuntimeMXBean self) {
    TaskProcess process = Owners.callerOrNull();
    return process == null
        ? self.getClassPath()
        : process.properties().getProperty("java.class.path", self.getClassPath());
  }

  /** {@code RuntimeMXBean.getStartTime}. */
  @Replaces(value = RuntimeMXBean.class, receiver = true)
  public static long getStartTime(RuntimeMXBean self) {
    TaskIdentity own = TaskIdentity.ofCaller();
    return own == null ? self.getStartTime() : self.getStartTime() + self.getUptime() - own.age();
  }

  /** {@code RuntimeMXBean.getUptime}. */
  @Replaces(value = RuntimeMXBean.class, receiver = true)
  public static long getUptime(RuntimeMXBean self) {
    TaskIdentity own = TaskIdentity.ofCaller();
    return own == null ? self.getUptime() : own.age();
  }

  /** {@code ProcessHandle.pid}. */
  @Replaces(value = ProcessHandle.class, receiver = true)
  public static long pid(ProcessHandle self) {
    TaskIdentity own = own(self);
    return own == null ? self.pid() : own.pid();
  }

  /** {@code ProcessHandle.of}. */
  @Replaces(ProcessHandle.class)
  public static Optional<ProcessHandle> of(long pid) {
    TaskIdentity own = TaskIdentity.ofCaller();
    return own != null && own.pid() == pid
        ? Optional.of(ProcessHandle.current())
        : ProcessHandle.of(pid);
  }

  /** {@code ProcessHandle.children}. */
  @Replaces(value = ProcessHandle.class, receiver = true)
  public static Stream<ProcessHandle> children(ProcessHandle self) {
    TaskIdentity own = own(self);
    return own == null ? self.children() : own.children().stream();
  }

  /** {@code ProcessHandle.descendants}. */
  @Replaces(value = ProcessHandle.class, receiver = true)
  public static Stream<ProcessHandle> descendants(ProcessHandle self) {
    TaskIdentity own = own(self);
    return own == null
        ? self.descendants()
        : own.children().stream()
            .flatMap(each -> Stream.concat(Stream.of(each), each.descendants()));
  }

  private static TaskIdentity own(ProcessHandle handle) {
    return handle.equals(ProcessHandle.current()) ? TaskIdentity.ofCaller() : null;
  }
}
