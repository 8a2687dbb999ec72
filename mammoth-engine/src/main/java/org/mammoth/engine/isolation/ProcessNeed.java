// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

/**
 * Where code of a task reaches what an engine cannot confine: the attempt ends there, and the job's
 * further tasks run in processes of their own. One that has its JVM to itself goes on, and does to
 * the JVM what a process of its own would have done. Decided when it is reached, not when it stands
 * in a jar: most such calls of most jars are never made. Stateless, thread-safe.
 */
public final class ProcessNeed {
  private static final String OURS = ProcessNeed.class.getPackageName() + ".";
  private static final StackWalker WALKER = StackWalker.getInstance();

  private ProcessNeed() {}

  /**
   * Ends the calling task's attempt here; returns when no task calls, or one that has its JVM to
   * itself ({@link TaskProcess.Listener#mayReach}): what follows is the call itself.
   *
   * @param call what needs a process, for people: a class and its method
   * @throws TaskExit if a task calls
   */
  public static void because(String call) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.needProcess(reason(call));
    }
  }

  /** As {@link #because}, from within the method that is called. */
  public static void toCall(String method) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.needProcess("it calls " + method);
    }
  }

  /** As {@link #because}, for a field that the code sets itself. */
  public static void toSet(String field) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.needProcess(user() + " sets " + field);
    }
  }

  /** With the class whose code makes the call, so that its user knows where to look. */
  public static String reason(String call) {
    return user() + " calls " + call;
  }

  private static String user() {
    return WALKER
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .filter(name -> !name.startsWith(OURS))
                    .findFirst())
        .orElse("it");
  }
}
