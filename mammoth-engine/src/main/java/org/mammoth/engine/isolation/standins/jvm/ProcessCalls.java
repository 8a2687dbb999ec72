// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.mammoth.engine.isolation.JdkProperties;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten user code calls instead of the process-wide methods of {@code System}, {@code
 * Runtime} and {@code Thread}.
 *
 * <p>Each method answers for the calling task, and does what the JDK does when no task calls.
 * Stateless, thread-safe. The method's name and parameters are those of the method it stands for;
 * an instance method's receiver comes first. {@code CallTable} reads {@link Replaces} to learn
 * which call goes where.
 *
 * <p>Reflection and method handles come here, too, by {@code ReflectCalls} and {@code LookupCalls};
 * JNI does not, nor what a library all tasks share calls by reflection, but for exits ({@link
 * ProcessHook}).
 */
public final class ProcessCalls {
  private ProcessCalls() {}

  /** {@code System.exit}. */
  @Replaces(System.class)
  public static void exit(int status) {
    exit(Runtime.getRuntime(), status);
  }

  /** {@code Runtime.exit}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static void exit(Runtime runtime, int status) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.requestExit(status, false);
    }
    runtime.exit(status);
  }

  /** {@code Runtime.halt}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static void halt(Runtime runtime, int status) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.requestExit(status, true);
    }
    runtime.halt(status);
  }

  /** {@code Runtime.addShutdownHook}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static void addShutdownHook(Runtime runtime, Thread hook) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.addShutdownHook(hook);
    } else {
      runtime.addShutdownHook(hook);
    }
  }

  /** {@code Runtime.removeShutdownHook}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static boolean removeShutdownHook(Runtime runtime, Thread hook) {
    TaskProcess process = Owners.callerOrNull();
    return process != null ? process.removeShutdownHook(hook) : runtime.removeShutdownHook(hook);
  }

  /** {@code System.getenv}. */
  @Replaces(System.class)
  public static Map<String, String> getenv() {
    TaskProcess process = Owners.callerOrNull();
    return process != null ? process.environment() : System.getenv();
  }

  /** {@code System.getenv}. */
  @Replaces(System.class)
  public static String getenv(String name) {
    return getenv().get(Objects.requireNonNull(name));
  }

  /** {@code System.getProperties}. */
  @Replaces(System.class)
  public static Properties getProperties() {
    TaskProcess process = Owners.callerOrNull();
    return process != null ? process.properties() : System.getProperties();
  }

  /** {@code System.setProperties}. */
  @Replaces(System.class)
  public static void setProperties(Properties properties) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.properties(properties);
    } else {
      System.setProperties(properties);
    }
  }

  /** {@code System.getProperty}. */
  @Replaces(System.class)
  public static String getProperty(String key) {
    return getProperties().getProperty(checked(key));
  }

  /** {@code System.getProperty}. */
  @Replaces(System.class)
  public static String getProperty(String key, String def) {
    return getProperties().getProperty(checked(key), def);
  }

  /** {@code System.setProperty}. */
  @Replaces(System.class)
  public static String setProperty(String key, String value) {
    JdkProperties.setting(checked(key), value);
    return (String) getProperties().setProperty(key, value);
  }

  /** {@code System.clearProperty}. */
  @Replaces(System.class)
  public static String clearProperty(String key) {
    JdkProperties.setting(checked(key), null);
    return (String) getProperties().remove(key);
  }

  private static String checked(String key) {
    if (key == null) {
      throw new NullPointerException("key can't be null");
    }
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key can't be empty");
    }
    return key;
  }

  private static String lenient(String key) {
    return key == null || key.isEmpty() ? null : getProperty(key);
  }

  /** {@code Boolean.getBoolean}. */
  @Replaces(Boolean.class)
  public static boolean getBoolean(String key) {
    return Boolean.parseBoolean(lenient(key));
  }

  /** {@code Integer.getInteger}. */
  @Replaces(Integer.class)
  public static Integer getInteger(String key) {
    return getInteger(key, null);
  }

  /** {@code Integer.getInteger}. */
  @Replaces(Integer.class)
  public static Integer getInteger(String key, int def) {
    return getInteger(key, Integer.valueOf(def));
  }

  /** {@code Integer.getInteger}. */
  @Replaces(Integer.class)
  public static Integer getInteger(String key, Integer def) {
    String value = lenient(key);
    try {
      return value == null ? def : Integer.decode(value);
    } catch (NumberFormatException e) {
      return def;
    }
  }

  /** {@code Long.getLong}. */
  @Replaces(Long.class)
  public static Long getLong(String key) {
    return getLong(key, null);
  }

  /** {@code Long.getLong}. */
  @Replaces(Long.class)
  public static Long getLong(String key, long def) {
    return getLong(key, Long.valueOf(def));
  }

  /** {@code Long.getLong}. */
  @Replaces(Long.class)
  public static Long getLong(String key, Long def) {
    String value = lenient(key);
    try {
      return value == null ? def : Long.decode(value);
    } catch (NumberFormatException e) {
      return def;
    }
  }

  /**
   * A read of {@code System.out}: the task's own stream, so that a stream wrapped round it never
   * meets itself again.
   */
  @Replaces(value = System.class, field = true)
  public static PrintStream out() {
    TaskProcess process = Owners.callerOrNull();
    return process != null ? process.stdout() : System.out;
  }

  /** A read of {@code System.err}. */
  @Replaces(value = System.class, field = true)
  public static PrintStream err() {
    TaskProcess process = Owners.callerOrNull();
    return process != null ? process.stderr() : System.err;
  }

  /** A read of {@code System.in}. */
  @Replaces(value = System.class, field = true)
  public static InputStream in() {
    TaskProcess process = Owners.callerOrNull();
    return process != null ? process.stdin() : System.in;
  }

  /** {@code System.setOut}. */
  @Replaces(System.class)
  public static void setOut(PrintStream out) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      System.setOut(out);
    } else {
      // The engine's router would send the task's output back to itself.
      process.setOut(out == System.out ? null : out);
    }
  }

  /** {@code System.setErr}. */
  @Replaces(System.class)
  public static void setErr(PrintStream err) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      System.setErr(err);
    } else {
      process.setErr(err == System.err ? null : err);
    }
  }

  /** {@code System.setIn}. */
  @Replaces(System.class)
  public static void setIn(InputStream in) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      System.setIn(in);
    } else {
      process.setIn(in);
    }
  }

  /** {@code Thread.setDefaultUncaughtExceptionHandler}. */
  @Replaces(Thread.class)
  public static void setDefaultUncaughtExceptionHandler(Thread.UncaughtExceptionHandler handler) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      Thread.setDefaultUncaughtExceptionHandler(handler);
    } else {
      process.defaultHandler(handler);
    }
  }

  /** {@code Thread.getDefaultUncaughtExceptionHandler}. */
  @Replaces(Thread.class)
  public static Thread.UncaughtExceptionHandler getDefaultUncaughtExceptionHandler() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? Thread.getDefaultUncaughtExceptionHandler() : process.defaultHandler();
  }
}
