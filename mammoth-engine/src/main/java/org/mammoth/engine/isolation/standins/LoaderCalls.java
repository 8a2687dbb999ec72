// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Enumeration;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.loading.SharedResources;

/**
 * What rewritten code calls instead of asking the loader that has Hadoop's classes. In a process of
 * its own that loader has the job's classes, too, unless the job asks for a loader of its own
 * ({@code mapreduce.job.classloader}). Stateless, thread-safe.
 */
public final class LoaderCalls {
  private static final ClassLoader SHARED = LoaderCalls.class.getClassLoader();

  private LoaderCalls() {}

  /** {@code ClassLoader.getSystemClassLoader}. */
  @Replaces(ClassLoader.class)
  public static ClassLoader getSystemClassLoader() {
    ClassLoader ofJob = ofJobOrNull();
    return ofJob == null ? ClassLoader.getSystemClassLoader() : ofJob;
  }

  /** {@code ClassLoader.getSystemResource}. */
  @Replaces(ClassLoader.class)
  public static URL getSystemResource(String name) {
    return getSystemClassLoader().getResource(name);
  }

  /** {@code ClassLoader.getSystemResources}. */
  @Replaces(ClassLoader.class)
  public static Enumeration<URL> getSystemResources(String name) throws IOException {
    return getSystemClassLoader().getResources(name);
  }

  /** {@code ClassLoader.getSystemResourceAsStream}. */
  @Replaces(ClassLoader.class)
  public static InputStream getSystemResourceAsStream(String name) {
    return getSystemClassLoader().getResourceAsStream(name);
  }

  /** {@code loader.loadClass}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static Class<?> loadClass(ClassLoader loader, String name) throws ClassNotFoundException {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      return ofJobOr(loader, e).loadClass(name);
    }
  }

  /** {@code Class.forName}. */
  @Replaces(Class.class)
  public static Class<?> forName(String name, boolean initialize, ClassLoader loader)
      throws ClassNotFoundException {
    try {
      return Class.forName(name, initialize, loader);
    } catch (ClassNotFoundException e) {
      return Class.forName(name, initialize, ofJobOr(loader, e));
    }
  }

  /** {@code loader.getParent}: a process's loader of classes has none above it but the JDK's. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static ClassLoader getParent(ClassLoader loader) {
    return isAll(loader) ? ClassLoader.getPlatformClassLoader() : loader.getParent();
  }

  /** {@code loader.getName}: of a process's loader of classes, as the JDK names it. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static String getName(ClassLoader loader) {
    return isAll(loader) ? SHARED.getName() : loader.getName();
  }

  private static boolean isAll(ClassLoader loader) {
    return loader instanceof TaskClassLoader && !((TaskClassLoader) loader).isChildFirst();
  }

  /** {@code loader.setDefaultAssertionStatus}: of Hadoop's classes, too. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static void setDefaultAssertionStatus(ClassLoader loader, boolean enabled) {
    asserting(loader, "setDefaultAssertionStatus");
    loader.setDefaultAssertionStatus(enabled);
  }

  /** {@code loader.setPackageAssertionStatus}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static void setPackageAssertionStatus(ClassLoader loader, String name, boolean enabled) {
    asserting(loader, "setPackageAssertionStatus");
    loader.setPackageAssertionStatus(name, enabled);
  }

  /** {@code loader.setClassAssertionStatus}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static void setClassAssertionStatus(ClassLoader loader, String name, boolean enabled) {
    asserting(loader, "setClassAssertionStatus");
    loader.setClassAssertionStatus(name, enabled);
  }

  /** {@code loader.clearAssertionStatus}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static void clearAssertionStatus(ClassLoader loader) {
    asserting(loader, "clearAssertionStatus");
    loader.clearAssertionStatus();
  }

  private static void asserting(ClassLoader loader, String method) {
    if (loader == SHARED || loader == ofJobOrNull()) {
      ProcessNeed.because("ClassLoader." + method);
    }
  }

  /** {@code loader.getResource}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static URL getResource(ClassLoader loader, String name) {
    return SharedResources.resource(asProcess(loader), name);
  }

  /** {@code loader.getResources}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static Enumeration<URL> getResources(ClassLoader loader, String name) throws IOException {
    return asProcess(loader).getResources(name);
  }

  /** {@code loader.resources}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static Stream<URL> resources(ClassLoader loader, String name) {
    return asProcess(loader).resources(name);
  }

  /** {@code loader.getResourceAsStream}. */
  @Replaces(value = ClassLoader.class, receiver = true)
  public static InputStream getResourceAsStream(ClassLoader loader, String name) {
    return asProcess(loader).getResourceAsStream(name);
  }

  /** {@code type.getResource}. */
  @Replaces(value = Class.class, receiver = true)
  public static URL getResource(Class<?> type, String name) {
    URL found = type.getResource(name);
    ClassLoader ofJob = found == null && type.getClassLoader() == SHARED ? ofJobOrNull() : null;
    return ofJob == null ? found : ofJob.getResource(absolute(type, name));
  }

  /** {@code type.getResourceAsStream}. */
  @Replaces(value = Class.class, receiver = true)
  public static InputStream getResourceAsStream(Class<?> type, String name) {
    InputStream found = type.getResourceAsStream(name);
    ClassLoader ofJob = found == null && type.getClassLoader() == SHARED ? ofJobOrNull() : null;
    return ofJob == null ? found : ofJob.getResourceAsStream(absolute(type, name));
  }

  /** {@code Proxy.newProxyInstance}. */
  @Replaces(Proxy.class)
  public static Object newProxyInstance(
      ClassLoader loader, Class<?>[] interfaces, InvocationHandler handler) {
    return Proxy.newProxyInstance(seeing(loader, interfaces), interfaces, handler);
  }

  /** The loader, or the job's if one of these is a class of the job. */
  private static ClassLoader seeing(ClassLoader loader, Class<?>[] interfaces) {
    if (loader == SHARED && interfaces != null) {
      for (Class<?> each : interfaces) {
        if (each != null && TaskClassLoader.above(each.getClassLoader()) != null) {
          return asProcess(loader);
        }
      }
    }
    return loader;
  }

  /** {@code ServiceLoader.load}. */
  @Replaces(ServiceLoader.class)
  public static <S> ServiceLoader<S> load(Class<S> service) {
    return load(service, Thread.currentThread().getContextClassLoader());
  }

  /** {@code ServiceLoader.load}. */
  @Replaces(ServiceLoader.class)
  public static <S> ServiceLoader<S> load(Class<S> service, ClassLoader loader) {
    return ServiceLoader.load(service, loader == null ? getSystemClassLoader() : asProcess(loader));
  }

  private static String absolute(Class<?> type, String name) {
    if (name.startsWith("/")) {
      return name.substring(1);
    }
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    String folder = element.getPackageName().replace('.', '/');
    return folder.isEmpty() ? name : folder + '/' + name;
  }

  /** A loader as it would be in a process of the caller's own. */
  static ClassLoader asProcess(ClassLoader loader) {
    ClassLoader ofJob = loader == SHARED ? ofJobOrNull() : null;
    return ofJob == null ? loader : ofJob;
  }

  private static ClassLoader ofJobOr(ClassLoader loader, ClassNotFoundException notFound)
      throws ClassNotFoundException {
    if (loader != SHARED) {
      throw notFound;
    }
    return ofJobOr(notFound);
  }

  /**
   * The loader that has the caller's classes beside the shared ones.
   *
   * @throws E if there is none
   */
  static <E extends Exception> ClassLoader ofJobOr(E notFound) throws E {
    ClassLoader ofJob = ofJobOrNull();
    if (ofJob == null) {
      throw notFound;
    }
    return ofJob;
  }

  private static ClassLoader ofJobOrNull() {
    TaskProcess process = Owners.callerOrNull();
    TaskClassLoader ofJob = process == null ? null : process.loader();
    return ofJob == null || ofJob.isChildFirst() ? null : ofJob;
  }
}
