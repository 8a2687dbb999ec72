// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.classfile.ReadableClasses;

/**
 * Finds out whether the rewriting of user classes works in this JVM. ASM comes from Hadoop's own
 * folders; where it is missing or older than the classes, rewriting would fail every task, or leave
 * classes as they are without a word, so that tasks would share what they must not.
 */
public final class RewriterSelfTest {

  private static final String VARIABLE = "MAMMOTH_REWRITER_SELF_TEST";
  private static final String VALUE = "of the task";

  /** Asks for a variable that only a task has. */
  public static final class Probe implements Supplier<String> {
    @Override
    public String get() {
      return System.getenv(VARIABLE);
    }
  }

  private static final class ProbeLoader extends ClassLoader {
    ProbeLoader() {
      super(RewriterSelfTest.class.getClassLoader());
    }

    Class<?> define(byte[] code) {
      return defineClass(Probe.class.getName(), code, 0, code.length);
    }
  }

  /** The probe asks for a variable; whatever else happens is not its doing. */
  private static final class Ignored implements TaskProcess.Listener {
    @Override
    public void onExit(int status, boolean halt) {}

    @Override
    public void onProcessNeeded(String what) {}

    @Override
    public void onUncaught(Thread thread, Throwable error) {}

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {}
  }

  private RewriterSelfTest() {}

  /**
   * Rewrites a class and runs it as a task would. Takes some milliseconds.
   *
   * @return why user classes cannot be rewritten here; empty if they can
   */
  public static Optional<String> failure() {
    try {
      Supplier<?> probe = rewrittenProbe();
      FutureTask<Object> answer = new FutureTask<>(probe::get);
      try (TaskProcess task =
          TaskProcess.builder("rewriter-self-test")
              .environment(Map.of(VARIABLE, VALUE))
              .workDir(Path.of("").toAbsolutePath())
              .listener(new Ignored())
              .build()) {
        new Thread(task.threads(), answer, "rewriter-self-test").start();
        Object said = answer.get();
        return VALUE.equals(said)
            ? Optional.empty()
            : Optional.of("classes stay as they are, as with an ASM older than they");
      }
    } catch (LinkageError e) {
      return Optional.of("ASM is missing on the class path, or of another version: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("the test was interrupted");
    } catch (Exception e) {
      return Optional.of("the class path's ASM does not serve: " + e);
    }
  }

  private static Supplier<?> rewrittenProbe() throws IOException, ReflectiveOperationException {
    try (InputStream in = Probe.class.getResourceAsStream("RewriterSelfTest$Probe.class")) {
      // As the newest class file that a job may bring.
      byte[] newest = ReadableClasses.as(Runtime.version().feature(), in.readAllBytes());
      byte[] code = CallRewriter.standard().rewrite(newest);
      return (Supplier<?>) new ProbeLoader().define(code).getConstructor().newInstance();
    }
  }
}
