package org.mammoth.engine.isolation;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Enumeration;

/**
 * What rewritten code calls instead of asking for the JVM's class loader, which for a task is the
 * one that has the job's classes. Stateless, thread-safe.
 */
public final class LoaderCalls {
  private LoaderCalls() {}

  /** {@code ClassLoader.getSystemClassLoader}. */
  @Replaces(ClassLoader.class)
  public static ClassLoader getSystemClassLoader() {
    TaskProcess process = Owners.callerOrNull();
    ClassLoader ofJob = process == null ? null : process.loader();
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
}
