// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.UserCode;

/** A library that tasks share, here commons-logging, looks for a class that the job brings. */
@Timeout(60)
class SharedGapTest {
  private static final String BROUGHT = "org.apache.logging.log4j.spi.AbstractLoggerAdapter";

  private static final String NEEDS_BROUGHT =
      "org.apache.commons.logging.impl.Log4jApiLogFactory$LogAdapter";

  @TempDir private Path dir;

  private Task task() throws IOException {
    Path classes =
        UserCode.compile(
            dir,
            "package org.apache.logging.log4j.spi; public class AbstractLoggerAdapter<L> {}",
            UserCode.function("Asks", "return Class.forName(in).getName();"),
            catching("CatchesError", "Class.forName(in)", "NoClassDefFoundError"),
            catching("CatchesAll", "Class.forName(in)", "Throwable"),
            catching(
                "CatchesWrapped",
                "Class.class.getMethod(\"forName\", String.class).invoke(null, in)",
                "java.lang.reflect.InvocationTargetException"),
            catching(
                "Hides",
                "new java.net.URLClassLoader(new java.net.URL[0], ClassLoader.getPlatformClassLoader())"
                    + ".loadClass(in)",
                "ClassNotFoundException"),
            catching("Counts", "Integer.parseInt(in)", "Exception"));
    return new Task(dir, "gap", classes);
  }

  private static String catching(String name, String statement, String caught) {
    return UserCode.function(
        name,
        "try { %s; return \"with\"; } catch (%s e) { return \"without\"; }"
            .formatted(statement, caught));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CatchesError", "CatchesAll", "CatchesWrapped"})
  void endsCodeThatWouldGoOnWithoutTheClass(String program) throws Exception {
    try (Task task = task()) {
      assertThatThrownBy(() -> task.call(program, NEEDS_BROUGHT)).isInstanceOf(TaskExit.class);
      assertThat(task.events).singleElement().asString().contains("needs " + BROUGHT);
    }
  }

  @Test
  void leavesCodeThatCatchesAnythingElse() throws Exception {
    try (Task task = task()) {
      assertThat(task.call("CatchesAll", "com.acme.Nowhere")).isEqualTo("without");
      assertThat(task.call("Counts", "no number")).isEqualTo("without");
      // Its own loader was made not to see the job's classes.
      assertThat(task.call("Hides", BROUGHT)).isEqualTo("without");
      assertThat(task.call("CatchesAll", BROUGHT)).isEqualTo("with");
      assertThat(task.events).isEmpty();
    }
  }

  private static Throwable failure(Task task, String name) {
    return catchThrowable(() -> task.call("Asks", name));
  }

  @Test
  void isWhatAProcessWouldNotHaveFailedFor() throws Exception {
    try (Task task = task()) {
      Throwable failure = failure(task, NEEDS_BROUGHT);
      assertThat(failure).isInstanceOf(NoClassDefFoundError.class);
      assertThat(SharedGap.missed(failure, task.loader)).isEqualTo(BROUGHT);
      assertThat(SharedGap.missed(new IOException(failure), task.loader)).isEqualTo(BROUGHT);
      assertThatThrownBy(() -> SharedGap.check(failure, task.process, task.loader))
          .isInstanceOf(TaskExit.class);
      assertThat(task.events)
          .containsExactly(
              "needs a process: a library that tasks share needs "
                  + BROUGHT
                  + ", which the job brings");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CatchesError", "CatchesAll"})
  void isWhatALoaderOfTheJobsHidesOfTheEngine(String program) throws Exception {
    String lacking = "org/mammoth/engine/isolation/standins/jvm/ProcessCalls";
    try (Task task = task()) {
      Throwable failure = new IOException(new NoClassDefFoundError(lacking));
      assertThatThrownBy(() -> SharedGap.check(failure, task.process, task.loader))
          .isInstanceOf(TaskExit.class);
    }
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function(
                program,
                "try { throw new NoClassDefFoundError(in); } catch (%s e) { return \"on\"; }"
                    .formatted(
                        program.equals("CatchesAll") ? "Throwable" : "NoClassDefFoundError")));
    try (Task task = new Task(dir, "hidden", classes)) {
      assertThatThrownBy(() -> task.call(program, lacking)).isInstanceOf(TaskExit.class);
      assertThat(task.events)
          .containsExactly("needs a process: a class loader of its own hides the engine's classes");
    }
  }

  /** Nutch's loader of plugins does so for every class. */
  @Test
  void isNotWhatALoaderLooksForAmongItsOwnFirst() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Looks",
                "try { throw new ClassNotFoundException(in); }"
                    + " catch (ClassNotFoundException e) { return \"above\"; }"));
    try (Task task = new Task(dir, "looks", classes)) {
      assertThat(task.call("Looks", "org.mammoth.engine.isolation.standins.jvm.ProcessCalls"))
          .isEqualTo("above");
      assertThat(task.events).isEmpty();
    }
  }

  @Test
  void isFoundWhenAnotherTaskMetItFirst() throws Exception {
    try (Task task = task()) {
      Throwable again =
          new NoClassDefFoundError("Could not initialize class org.x.Codec")
              .initCause(
                  new ExceptionInInitializerError(
                      "Exception java.lang.NoClassDefFoundError: "
                          + BROUGHT.replace('.', '/')
                          + " [in thread \"main\"]"));
      assertThat(SharedGap.missed(again, task.loader)).isEqualTo(BROUGHT);
    }
  }

  @Test
  void isNoneOfAJobWithAClassLoaderOfItsOwn() throws Exception {
    try (Task task = task();
        TaskClassLoader apart =
            new TaskClassLoader(
                "apart",
                task.loader.getURLs(),
                Task.class.getClassLoader(),
                List.of("java."),
                CallRewriter.standard(),
                (loader, code) -> code)) {
      Throwable failure = new NoClassDefFoundError(BROUGHT.replace('.', '/'));
      assertThat(SharedGap.missed(failure, apart)).isNull();
      assertThat(SharedGap.missed(failure, task.loader)).isEqualTo(BROUGHT);
    }
  }

  @Test
  void isNotWhatAProcessLacksAsWell() throws Exception {
    try (Task task = task()) {
      Throwable failure = failure(task, "com.acme.Nowhere");
      assertThat(failure).hasRootCauseInstanceOf(ClassNotFoundException.class);
      assertThat(SharedGap.missed(failure, task.loader)).isNull();
      assertThat(SharedGap.missed(new NoClassDefFoundError("java/lang/String"), task.loader))
          .isNull();
      assertThat(SharedGap.missed(new IllegalStateException(BROUGHT), task.loader)).isNull();
      assertThat(task.events).isEmpty();
    }
  }
}
