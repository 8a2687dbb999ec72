// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.network;

import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLStreamHandler;
import java.net.URLStreamHandlerFactory;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's handlers of URLs, by protocol: its own from the moment it sets a factory for them, which
 * a JVM takes once. Programs with plugins (Nutch) or with URLs of {@code hdfs} do. The JDK keeps
 * one factory and one table of what that has made; an engine's answer by task. Thread-safe.
 */
public final class UrlHandlers {
  private static final Logger LOG = LoggerFactory.getLogger(UrlHandlers.class);

  /** Protocols whose handler the calling thread is asking a task's factory for. */
  private static final ThreadLocal<Set<String>> ASKED = ThreadLocal.withInitial(HashSet::new);

  /** What the JDK keeps of what the task's factory has made. */
  private final Map<String, URLStreamHandler> made = new ConcurrentHashMap<>();

  private volatile URLStreamHandlerFactory factory;

  private UrlHandlers() {}

  /** Stands where the JDK has its table. */
  private static final class Table extends Hashtable<String, URLStreamHandler> {
    private static final long serialVersionUID = 1;

    private static Map<String, URLStreamHandler> ofTask(Object protocol) {
      UrlHandlers own = ofCaller();
      // A factory whose classes come by a URL of the kind that it is asked for gets the JDK's.
      return own == null || ASKED.get().contains(protocol) ? null : own.made;
    }

    @Override
    public URLStreamHandler get(Object protocol) {
      Map<String, URLStreamHandler> made = ofTask(protocol);
      return made == null ? super.get(protocol) : made.get(protocol);
    }

    @Override
    public URLStreamHandler put(String protocol, URLStreamHandler handler) {
      Map<String, URLStreamHandler> made = ofTask(protocol);
      return made == null ? super.put(protocol, handler) : made.put(protocol, handler);
    }
  }

  private static UrlHandlers of(TaskProcess process) {
    return process.part(UrlHandlers.class, UrlHandlers::new);
  }

  /** Null if the caller has set no factory. */
  private static UrlHandlers ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    UrlHandlers own = process == null ? null : of(process);
    return own == null || own.factory == null ? null : own;
  }

  private static URLStreamHandler ask(String protocol) {
    UrlHandlers own = ofCaller();
    if (own == null || !ASKED.get().add(protocol)) {
      return null;
    }
    try {
      return own.factory.createURLStreamHandler(protocol);
    } finally {
      ASKED.get().remove(protocol);
    }
  }

  private static Field table() throws ReflectiveOperationException {
    Field table = URL.class.getDeclaredField("handlers");
    table.setAccessible(true);
    return table;
  }

  private static boolean isInstalled() {
    try {
      return table().get(null) instanceof Table;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }

  /**
   * Has the JDK ask us. For an engine's start, on a thread of no task; if it fails, nothing
   * changes, and tasks that set a factory get processes.
   */
  public static void install() {
    try {
      if (!isInstalled()) {
        table().set(null, new Table());
        URL.setURLStreamHandlerFactory(UrlHandlers::ask);
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Tasks cannot have URL handlers of their own: the JDK is another than is known", e);
    }
  }

  /**
   * Sets a task's factory.
   *
   * @return whether a task can have one of its own here
   * @throws Error if it has one, as the JDK does
   */
  static boolean set(TaskProcess process, URLStreamHandlerFactory factory) {
    if (!isInstalled()) {
      return false;
    }
    UrlHandlers own = of(process);
    synchronized (own) {
      if (own.factory != null) {
        throw new Error("factory already defined");
      }
      own.factory = factory;
    }
    return true;
  }
}
