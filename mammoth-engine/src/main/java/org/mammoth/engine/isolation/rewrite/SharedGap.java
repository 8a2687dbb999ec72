// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedActionException;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * Tells failures that no process would have had: a library that all tasks share looks for a class
 * that only the job's jars hold, such as a codec's, and cannot see it. In a process both come from
 * one class path. Stateless, thread-safe.
 */
public final class SharedGap {
  private static final int DEEPEST = 50;

  /** The whole message, or the end of one about another class that could not be initialised. */
  private static final Pattern CLASS =
      Pattern.compile(
          "(?:^|(?:NoClassDefFoundError|ClassNotFoundException): )([\\w$./]+)(?: \\[in thread .*)?$");

  private static final String REWRITTEN = TaskProcess.class.getPackageName() + ".";
  private static final String APP_LOADER = "jdk.internal.loader.ClassLoaders$AppClassLoader";

  private SharedGap() {}

  /**
   * What rewritten handlers begin with: code that would go on without the class ends its attempt
   * instead, to be run again in a process.
   *
   * @throws TaskExit if a shared class did not find what the calling task brings
   */
  public static void caught(Throwable failure) {
    if (failure instanceof LinkageError
        || failure instanceof ClassNotFoundException
        || isWrapper(failure)) {
      TaskProcess process = Owners.callerOrNull();
      TaskClassLoader loader = process == null ? null : process.loader();
      if (loader != null) {
        check(failure, process, loader, each -> isOfShared(each, loader.getParent()));
      }
    }
  }

  /** Whether the JDK has put around it what its own code met, which no handler of ours has seen. */
  private static boolean isWrapper(Throwable failure) {
    return failure instanceof InvocationTargetException
        || failure instanceof UndeclaredThrowableException
        || failure instanceof ExecutionException
        || failure instanceof CompletionException
        || failure instanceof PrivilegedActionException
        || failure instanceof ServiceConfigurationError;
  }

  /**
   * What methods of shared classes begin with that remember whether a class is there.
   *
   * @param names of such classes, with dots, parted by blanks
   * @throws TaskExit if the calling task brings one of them
   */
  public static void remembered(String names) {
    TaskProcess process = Owners.callerOrNull();
    TaskClassLoader loader = process == null ? null : process.loader();
    if (loader != null && !loader.isChildFirst()) {
      for (String name : names.split(" ")) {
        if (loader.brings(name)) {
          need(process, name);
        }
      }
    }
  }

  private static void need(TaskProcess process, String missed) {
    process.needProcess("a library that tasks share needs " + missed + ", which the job brings");
  }

  /**
   * Ends the attempt, to be run again in a process, if that is why it failed; returns otherwise.
   *
   * @param failure what the task ended with
   * @param loader the task's
   * @throws TaskExit if so
   */
  public static void check(Throwable failure, TaskProcess process, TaskClassLoader loader) {
    check(failure, process, loader, each -> true);
  }

  private static void check(
      Throwable failure, TaskProcess process, TaskClassLoader loader, Predicate<Throwable> counts) {
    if (isHidden(failure)) {
      process.needProcess("a class loader of its own hides the engine's classes");
    }
    String missed = missed(failure, loader, counts);
    if (missed != null) {
      need(process, missed);
    }
  }

  /**
   * Whether a loader that a job makes does not find what rewritten code calls. The JVM says so: a
   * loader that only says that a class is not among its own may ask the one above it next.
   */
  private static boolean isHidden(Throwable failure) {
    Throwable each = failure;
    for (int depth = 0; each != null && depth < DEEPEST; depth++, each = each.getCause()) {
      String name = each instanceof LinkageError ? className(each) : null;
      if (name != null && name.startsWith(REWRITTEN)) {
        return true;
      }
    }
    return false;
  }

  /** The class for want of which something was thrown, with dots; null if it was not for that. */
  private static String className(Throwable failure) {
    String message = failure.getMessage();
    boolean isOfClass =
        failure instanceof LinkageError || failure instanceof ClassNotFoundException;
    Matcher found = isOfClass && message != null ? CLASS.matcher(message) : null;
    return found != null && found.find() ? found.group(1).replace('/', '.') : null;
  }

  /**
   * The class that the engine's own loader lacks and the task's has, or null. A job that asks for a
   * class loader of its own keeps its classes from Hadoop's libraries in a process, too.
   */
  static String missed(Throwable failure, TaskClassLoader loader) {
    return missed(failure, loader, each -> true);
  }

  private static String missed(
      Throwable failure, TaskClassLoader loader, Predicate<Throwable> counts) {
    if (loader.isChildFirst()) {
      return null;
    }
    Throwable each = failure;
    for (int depth = 0; each != null && depth < DEEPEST; depth++, each = each.getCause()) {
      String name = className(each);
      if (name != null && loader.brings(name) && counts.test(each)) {
        return name;
      }
    }
    return null;
  }

  /**
   * Whether a shared class's code, or the loader of shared classes, threw it: loaders that a job
   * makes may hide its classes on purpose. What rewritten code calls is passed over.
   */
  private static boolean isOfShared(Throwable failure, ClassLoader shared) {
    boolean isFirst = true;
    for (StackTraceElement frame : failure.getStackTrace()) {
      boolean isOfJdk = frame.getModuleName() != null;
      if (failure instanceof ClassNotFoundException && frame.getClassName().equals(APP_LOADER)) {
        return true;
      }
      if (isFirst && !isOfJdk && !frame.getClassName().startsWith(REWRITTEN)) {
        isFirst = false;
        String name = frame.getClassName().replace('.', '/').concat(".class");
        if (failure instanceof LinkageError && shared.getResource(name) != null) {
          return true;
        }
      }
    }
    return false;
  }
}
