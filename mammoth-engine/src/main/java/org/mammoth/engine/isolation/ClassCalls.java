package org.mammoth.engine.isolation;

/**
 * What rewritten shared classes call instead of looking a class up by its name alone: in a process
 * of its own they would find the job's classes, too, as one loader has all. Stateless, thread-safe.
 */
public final class ClassCalls {
  private ClassCalls() {}

  /** {@code Class.forName}. */
  @Replaces(Class.class)
  public static Class<?> forName(String name) throws ClassNotFoundException {
    TaskProcess process = TaskProcess.currentOrNull();
    ClassLoader ofJob = process == null ? null : process.loader();
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      if (ofJob == null) {
        throw e;
      }
      return Class.forName(name, true, ofJob);
    }
  }
}
