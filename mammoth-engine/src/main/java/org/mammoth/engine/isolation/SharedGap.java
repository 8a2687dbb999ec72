// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private SharedGap() {}

  /**
   * Ends the attempt, to be run again in a process, if that is why it failed; returns otherwise.
   *
   * @param failure what the task ended with
   * @param loader the task's
   * @throws TaskExit if so
   */
  public static void check(Throwable failure, TaskProcess process, TaskClassLoader loader) {
    String missed = missed(failure, loader);
    if (missed != null) {
      process.needProcess("a library that tasks share needs " + missed + ", which the job brings");
    }
  }

  /**
   * The class that the engine's own loader lacks and the task's has, or null. A job that asks for a
   * class loader of its own keeps its classes from Hadoop's libraries in a process, too.
   */
  static String missed(Throwable failure, TaskClassLoader loader) {
    if (loader.isChildFirst()) {
      return null;
    }
    Throwable each = failure;
    for (int depth = 0; each != null && depth < DEEPEST; depth++, each = each.getCause()) {
      String message = each.getMessage();
      boolean isOfClass = each instanceof LinkageError || each instanceof ClassNotFoundException;
      Matcher found = isOfClass && message != null ? CLASS.matcher(message) : null;
      if (found != null && found.find() && isTasksAlone(found.group(1), loader)) {
        return found.group(1).replace('/', '.');
      }
    }
    return null;
  }

  private static boolean isTasksAlone(String name, TaskClassLoader loader) {
    String file = name.replace('.', '/') + ".class";
    return loader.getParent().getResource(file) == null && loader.findResource(file) != null;
  }
}
