package org.mammoth.engine.isolation;

import java.io.File;

/**
 * What rewritten code calls before it loads a native library. A JVM lets one class loader load a
 * library, by its path, so that a second task would find it taken; a file that the task has
 * unpacked into its own folder for temporary files, as libraries do, is its own. Stateless,
 * thread-safe.
 */
public final class NativeCalls {
  private NativeCalls() {}

  /** {@code System.loadLibrary}. */
  @Replaces(System.class)
  public static void loadLibrary(String name) {
    ProcessNeed.because("System.loadLibrary of " + name);
    System.loadLibrary(name);
  }

  /** {@code Runtime.loadLibrary}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static void loadLibrary(Runtime runtime, String name) {
    ProcessNeed.because("Runtime.loadLibrary of " + name);
    runtime.loadLibrary(name);
  }

  /** Before {@code System.load}, which loads for the caller's class loader. */
  @Precedes(value = System.class, names = "load")
  public static void loading(String file) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null && !new File(file).toPath().startsWith(process.tmpDir())) {
      process.needProcess(ProcessNeed.reason("System.load of " + file));
    }
  }

  /** Before {@code Runtime.load}, which loads for the caller's class loader. */
  @Precedes(value = Runtime.class, names = "load")
  public static void loadingByRuntime(String file) {
    loading(file);
  }
}
