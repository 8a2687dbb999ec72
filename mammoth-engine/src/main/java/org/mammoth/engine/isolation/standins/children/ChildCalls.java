// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.files.TaskFile;

/**
 * What rewritten user code calls instead of what starts operating-system processes: a child begins
 * in its task's working directory with its task's environment. Stateless, thread-safe.
 */
public final class ChildCalls {
  private static final Redirect NOTHING = Redirect.from(new File("/dev/null"));

  private ChildCalls() {}

  /** Called on every builder user code makes: gives it what it would have inherited. */
  public static ProcessBuilder adopt(ProcessBuilder builder) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      Map<String, String> env = builder.environment();
      env.clear();
      env.putAll(process.firstEnvironment());
    }
    return builder;
  }

  /** {@code ProcessBuilder.environment}: shows what reflection has made of the environment. */
  @Replaces(value = ProcessBuilder.class, receiver = true)
  public static Map<String, String> environment(ProcessBuilder builder) {
    TaskProcess process = Owners.callerOrNull();
    Map<String, String> env = builder.environment();
    if (process != null
        && env.equals(process.firstEnvironment())
        && !env.equals(process.environment())) {
      env.clear();
      env.putAll(process.environment());
    }
    return env;
  }

  @Replaces(value = ProcessBuilder.class, constructor = true)
  public static ProcessBuilder newProcessBuilder(List<String> command) {
    return adopt(new ProcessBuilder(command));
  }

  @Replaces(value = ProcessBuilder.class, constructor = true)
  public static ProcessBuilder newProcessBuilder(String... command) {
    return adopt(new ProcessBuilder(command));
  }

  @Replaces(value = ProcessBuilder.class, receiver = true)
  public static Process start(ProcessBuilder builder) throws IOException {
    Placed placed = place(builder);
    try {
      return started(List.of(builder.start())).get(0);
    } catch (IOException e) {
      throw placed.told(e);
    } finally {
      placed.undo();
    }
  }

  @Replaces(ProcessBuilder.class)
  public static List<Process> startPipeline(List<ProcessBuilder> builders) throws IOException {
    List<Placed> placed = builders.stream().map(ChildCalls::place).toList();
    try {
      return started(ProcessBuilder.startPipeline(builders));
    } catch (IOException e) {
      IOException told = e;
      for (Placed one : placed) {
        told = one.told(told);
      }
      throw told;
    } finally {
      placed.forEach(Placed::undo);
    }
  }

  /** What a builder said before it was told where the task is: what its user goes on to see. */
  private record Placed(
      ProcessBuilder builder,
      List<String> command,
      File directory,
      Redirect in,
      Redirect out,
      Redirect err) {

    static Placed of(ProcessBuilder builder) {
      return new Placed(
          builder,
          builder.command(),
          builder.directory(),
          builder.redirectInput(),
          builder.redirectOutput(),
          builder.redirectError());
    }

    IOException told(IOException e) {
      return command.isEmpty()
          ? e
          : ChildPrograms.told(
              e, command.get(0), directory, builder.command().get(0), builder.directory());
    }

    void undo() {
      builder.command(command);
      builder.directory(directory).redirectInput(in).redirectOutput(out).redirectError(err);
    }
  }

  /** Notes what the calling task has started, and ends it if the task has ended meanwhile. */
  private static List<Process> started(List<Process> children) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return children;
    }
    // In this order: what is not refused is ended with the others.
    children.forEach(process.identity()::started);
    try {
      process.checkGoesOn();
    } catch (TaskExit ended) {
      children.forEach(Process::destroyForcibly);
      throw ended;
    }
    return children;
  }

  private static Placed place(ProcessBuilder builder) {
    Placed before = Placed.of(builder);
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return before;
    }
    builder.directory(dir(process, builder.directory()));
    starting(process, builder.command(), builder.directory());
    builder.command(ChildPrograms.found(process, builder.command(), builder.directory()));
    if (builder.redirectOutput() == Redirect.INHERIT) {
      builder.redirectOutput(inherited(process, process.stdoutFile()));
    }
    if (builder.redirectError() == Redirect.INHERIT) {
      builder.redirectError(inherited(process, process.stderrFile()));
    }
    if (builder.redirectInput() == Redirect.INHERIT) {
      builder.redirectInput(NOTHING);
    }
    return before;
  }

  /**
   * A child that is told the process's id, or asks for its parent's, is to do something to the
   * process; a signal to the group it is in reaches the process, too. So does a child whose script
   * asks, or one in its folder that this one names. Of a task that has ended none starts.
   */
  private static void starting(TaskProcess process, List<String> command, File dir) {
    process.checkGoesOn();
    Pattern ownPid = Pattern.compile("(?<![\\w.])" + process.identity().pid() + "(?![\\w.])");
    List<String> said = new ArrayList<>(command);
    said.removeIf(Objects::isNull);
    List<String> scripts = ChildScripts.texts(said, dir);
    if (Stream.concat(said.stream(), scripts.stream()).anyMatch(ownPid.asPredicate())) {
      process.needProcess(
          ProcessNeed.reason("%s with its own process id".formatted(command.get(0))));
    }
    scripts.add(String.join(" ", said));
    if (scripts.stream().anyMatch(ParentSigns::in)) {
      process.needProcess(
          ProcessNeed.reason("%s with its parent or its group".formatted(command.get(0))));
    }
    process.identity().starts();
  }

  /** The file behind the task's stream, which a process of its own would hand on. */
  private static Redirect inherited(TaskProcess process, Path file) {
    process.stdout().flush();
    process.stderr().flush();
    return file == null ? Redirect.DISCARD : Redirect.appendTo(file.toFile());
  }

  @Replaces(value = Runtime.class, receiver = true)
  public static Process exec(Runtime runtime, String command) throws IOException {
    return exec(runtime, command, null, null);
  }

  @Replaces(value = Runtime.class, receiver = true)
  public static Process exec(Runtime runtime, String command, String[] env) throws IOException {
    return exec(runtime, command, env, null);
  }

  @Replaces(value = Runtime.class, receiver = true)
  public static Process exec(Runtime runtime, String command, String[] env, File dir)
      throws IOException {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return runtime.exec(command, env, dir);
    }
    if (command.isEmpty()) {
      return runtime.exec(command, env, dir); // says what is wrong
    }
    StringTokenizer words = new StringTokenizer(command);
    String[] split = new String[words.countTokens()];
    Arrays.setAll(split, i -> words.nextToken());
    return exec(runtime, split, env, dir);
  }

  @Replaces(value = Runtime.class, receiver = true)
  public static Process exec(Runtime runtime, String[] command) throws IOException {
    return exec(runtime, command, null, null);
  }

  @Replaces(value = Runtime.class, receiver = true)
  public static Process exec(Runtime runtime, String[] command, String[] env) throws IOException {
    return exec(runtime, command, env, null);
  }

  @Replaces(value = Runtime.class, receiver = true)
  public static Process exec(Runtime runtime, String[] command, String[] env, File dir)
      throws IOException {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return runtime.exec(command, env, dir);
    }
    File folder = dir(process, dir);
    List<String> asked = Arrays.asList(command);
    starting(process, asked, folder);
    List<String> found = ChildPrograms.found(process, asked, folder);
    try {
      String[] words = found.toArray(String[]::new);
      return started(List.of(runtime.exec(words, env(process, env), folder))).get(0);
    } catch (IOException e) {
      throw ChildPrograms.told(e, asked.get(0), dir, found.get(0), folder);
    }
  }

  private static String[] env(TaskProcess process, String[] asked) {
    if (asked != null) {
      return asked;
    }
    return process.firstEnvironment().entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .toArray(String[]::new);
  }

  /** A plain file: a builder takes what {@code toString} says, which is what the user wrote. */
  private static File dir(TaskProcess process, File asked) {
    return asked == null
        ? process.workDir().toFile()
        : process.resolve(TaskFile.asWritten(asked).getPath());
  }
}
