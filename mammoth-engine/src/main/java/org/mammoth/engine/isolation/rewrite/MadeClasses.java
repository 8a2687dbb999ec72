// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.SecondTry;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.classfile.JobClassReader;
import org.objectweb.asm.ClassReader;

/**
 * Classes that a job's code makes as it runs, or has class loaders of its own define: plugins,
 * scripts, what compilers and libraries generate. They are rewritten as those of the job's jars
 * are; where that cannot be, the task needs a process. Stateless, thread-safe.
 *
 * <p>Within the agent no code of a job's is asked, nor anything that may load shared classes: the
 * JVM shows the agent none that is loaded meanwhile.
 */
public final class MadeClasses {
  /** The JVM refuses it as no class file, so that the code which asks for the class ends there. */
  private static final byte[] NO_CLASS = {0};

  private static final String PROXY = "java/lang/reflect/Proxy";
  private static final String REFLECTION = "jdk/internal/reflect/";

  /** Byte Buddy's copies of the JDK's classes, of which it asks where fields are and calls none. */
  private static final String MIRROR = "net/bytebuddy/mirror/";

  private static final String TRAMPOLINE = "sun/reflect/misc/Trampoline";

  private MadeClasses() {}

  /**
   * A class as it is to be defined, called by the engine's agent for each that is not the shared
   * loader's.
   *
   * @param loader defines the class; null for the JDK's own
   * @param name with slashes; null if the JVM does not know it yet
   * @param second does what the calling thread cannot do to its end
   * @return null or the same array if it is defined as it is
   */
  public static byte[] rewrite(
      Module module, ClassLoader loader, String name, byte[] original, SecondTry second) {
    if (loader == null
        || loader == ClassLoader.getPlatformClassLoader()
        || isOfJars(loader)
        || name != null && isOfReflection(name)) {
      return null;
    }
    TaskProcess owner = ownerOf(loader);
    byte[] code = second.of(() -> read(module, loader, owner, original));
    if (code == null && owner == null) {
      // What goes on after its task's end gets no class that asks the engine.
      return NO_CLASS;
    }
    if (code == null) {
      boolean goesOn =
          tell(
              owner,
              loader.getClass().getName()
                  + " defines "
                  + new JobClassReader(original).getClassName().replace('/', '.')
                  + " where it cannot be rewritten");
      return goesOn ? null : NO_CLASS;
    }
    return code;
  }

  /** The class as it is to be defined; the same array if nothing changes, null if that fails. */
  private static byte[] read(
      Module module, ClassLoader loader, TaskProcess owner, byte[] original) {
    ClassReader reader;
    try {
      reader = new JobClassReader(original);
    } catch (IllegalArgumentException newerThanUs) {
      // Newer than ASM, so newer than this JVM too: let the JVM say so in its own words.
      return original;
    }
    if (reader.getClassName().equals(TRAMPOLINE)) {
      // By it the JDK calls what a program names; loaded once, for all tasks.
      return CallRewriter.standard().rewrite(original);
    }
    if (owner == null && TaskClassLoader.above(loader) == null
        || isOfReflection(reader.getClassName())
        || PROXY.equals(reader.getSuperName())) {
      return original;
    }
    return rewritten(module, loader, original);
  }

  /**
   * Ends an attempt, on another thread: no class that the calling one loads meanwhile is shown to
   * the agent, and shared ones would stay as they are. No exception leaves an agent; the calling
   * thread goes on with a class that is none.
   *
   * @return whether the attempt goes on, with the class as it is
   */
  private static boolean tell(TaskProcess owner, String why) {
    AtomicBoolean goesOn = new AtomicBoolean();
    Thread teller =
        new Thread(
            owner.threads(),
            () -> {
              try {
                owner.needProcess(why);
                goesOn.set(true);
              } catch (TaskExit told) {
                // It is for the thread that asks for the class.
                return;
              }
            },
            "needs a process");
    teller.start();
    try {
      teller.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return goesOn.get();
  }

  /**
   * A class that is defined beside another, hidden from loaders and from the engine's agent.
   *
   * @param beside a class of the same loader and package
   * @throws TaskExit if the calling task must have it in a process
   */
  static byte[] hidden(Class<?> beside, byte[] original) {
    if (original == null || ownerOf(beside.getClassLoader()) == null) {
      return original;
    }
    byte[] code = rewritten(beside.getModule(), beside.getClassLoader(), original);
    if (code == null) {
      ProcessNeed.because("Lookup.defineHiddenClass beside " + beside.getName());
      return original;
    }
    return code;
  }

  private static boolean isOfJars(ClassLoader loader) {
    return loader instanceof TaskClassLoader && ((TaskClassLoader) loader).isDefining();
  }

  private static TaskProcess ownerOf(ClassLoader loader) {
    TaskClassLoader ofJob = TaskClassLoader.above(loader);
    return ofJob == null ? Owners.callerOrNull() : ofJob.process();
  }

  /**
   * Whether a name is of what the JDK makes to call members, which the calls themselves were
   * rewritten for, or of what nobody calls.
   */
  private static boolean isOfReflection(String name) {
    return name.startsWith(REFLECTION) || name.startsWith(MIRROR);
  }

  /** The class as it is to be defined; the same array if nothing changes, null if that fails. */
  private static byte[] rewritten(Module module, ClassLoader loader, byte[] original) {
    try {
      TaskClassLoader ofJob = TaskClassLoader.above(loader);
      byte[] code =
          ofJob == null
              ? CallRewriter.standard().rewrite(original)
              : ofJob.rewriteMade(original, isPlain(loader) ? loader : null);
      return code == original || !module.isNamed() && seesShared(loader) ? code : null;
    } catch (RuntimeException e) { // ASM throws many kinds; the JVM may take the class as it is
      return null;
    }
  }

  /** Whether a loader is below the shared one, and so sees what rewritten code calls. */
  private static boolean seesShared(ClassLoader loader) {
    ClassLoader each = loader;
    while (each != null && each != MadeClasses.class.getClassLoader()) {
      each = each.getParent();
    }
    return each != null;
  }

  /** Whether a loader asks the one above it first, and so up to the job's. */
  private static boolean isPlain(ClassLoader loader) {
    return loader instanceof TaskClassLoader
        || loader != null
            && loader.getClass() == URLClassLoader.class
            && isPlain(loader.getParent());
  }
}
