// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.OwnFiles;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.classfile.HarmlessImports;
import org.mammoth.engine.isolation.standins.Precedes;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.files.PathCalls;

/**
 * What rewritten code calls before it loads a native library. A JVM lets one class loader load a
 * library, by its path, so that a second task would find it taken; a file that the task has
 * unpacked into its own folder for temporary files, as libraries do, is its own; a link there is
 * not. What native code calls cannot be rewritten, so such a file is loaded only if it cannot reach
 * what a process has once ({@link HarmlessImports}), and a task that calls the C library by JNA
 * needs a process. Stateless, thread-safe.
 */
public final class NativeCalls {
  private NativeCalls() {}

  /** {@code System.loadLibrary}. */
  @Replaces(System.class)
  public static void loadLibrary(String name) {
    if (!loadingLibrary(name, "System")) {
      System.loadLibrary(name);
    }
  }

  /** {@code Runtime.loadLibrary}. */
  @Replaces(value = Runtime.class, receiver = true)
  public static void loadLibrary(Runtime runtime, String name) {
    if (!loadingLibrary(name, "Runtime")) {
      runtime.loadLibrary(name);
    }
  }

  /**
   * A library that is not there is none, as many look first for what they then bring themselves.
   *
   * @return whether it is loaded: by a task that has its JVM to itself
   */
  private static boolean loadingLibrary(String name, String of) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null || name.indexOf(File.separatorChar) >= 0) {
      return false;
    }
    String path = process.properties().getProperty("java.library.path", "");
    Path file =
        find(name, path)
            .or(() -> find(name, System.getProperty("sun.boot.library.path", "")))
            .orElseThrow(
                () -> new UnsatisfiedLinkError("no " + name + " in java.library.path: " + path));
    process.needProcess(ProcessNeed.reason(of + ".loadLibrary of " + name));
    loadFor(Owners.codeOnStack(), file);
    return true;
  }

  private static Optional<Path> find(String name, String path) {
    String file = System.mapLibraryName(name);
    return Stream.of(path.split(File.pathSeparator))
        .map(folder -> PathCalls.path(Path.of(folder, file)))
        .filter(Files::exists)
        .findFirst();
  }

  /** The JVM loads a library for the class loader of its caller, which is not ours here. */
  private static void loadFor(Class<?> user, Path file) {
    try {
      Method load = Runtime.class.getDeclaredMethod("load0", Class.class, String.class);
      load.setAccessible(true);
      load.invoke(Runtime.getRuntime(), user, file.toAbsolutePath().toString());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UnsatisfiedLinkError) {
        throw (UnsatisfiedLinkError) e.getCause();
      }
      throw new IllegalStateException(e);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new UnsatisfiedLinkError("This JVM does not let " + file + " be loaded: " + e);
    }
  }

  /** Before {@code System.load}, which loads for the caller's class loader. */
  @Precedes(value = System.class, names = "load")
  public static void loading(String file) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return;
    }
    Path library = Path.of(file);
    String load = "System.load of " + file;
    if (!OwnFiles.inTmp(process, library)) {
      process.needProcess(ProcessNeed.reason(load));
    } else if (Files.exists(library)) {
      Optional<String> objection = HarmlessImports.objection(library);
      if (objection.isPresent()) {
        process.needProcess(ProcessNeed.reason(load + ", which " + objection.get()));
      }
    }
  }

  /** Before {@code Runtime.load}, which loads for the caller's class loader. */
  @Precedes(value = Runtime.class, names = "load")
  public static void loadingByRuntime(String file) {
    loading(file);
  }

  /** Before JNA binds functions: its classes are shared, and it can call any function. */
  @Precedes(
      value = Native.class,
      names = {"load", "loadLibrary", "register"})
  public static void bindingByJna() {
    ProcessNeed.because("the functions of a native library by JNA");
  }

  /** Before JNA hands out a library. */
  @Precedes(value = NativeLibrary.class, names = "getInstance")
  public static void openingByJna() {
    bindingByJna();
  }

  /** Before JNA hands out a function. */
  @Precedes(value = Function.class, names = "getFunction")
  public static void findingByJna() {
    bindingByJna();
  }
}
