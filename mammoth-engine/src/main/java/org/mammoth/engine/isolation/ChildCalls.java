package org.mammoth.engine.isolation;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What rewritten user code calls instead of what starts operating-system processes: a child begins
 * in its task's working directory with its task's environment. Stateless, thread-safe.
 */
public final class ChildCalls {
  /** The engine's process id where it stands for itself. */
  private static final Pattern OWN_PID =
      Pattern.compile("(?<![\\w.])" + ProcessHandle.current().pid() + "(?![\\w.])");

  private static final Redirect NOTHING = Redirect.from(new File("/dev/null"));

  private ChildCalls() {}

  /** Called on every builder user code makes: gives it what it would have inherited. */
  public static ProcessBuilder adopt(ProcessBuilder builder) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      Map<String, String> env = builder.environment();
      env.clear();
      env.putAll(process.environment());
    }
    return builder;
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
    place(builder);
    return builder.start();
  }

  @Replaces(ProcessBuilder.class)
  public static List<Process> startPipeline(List<ProcessBuilder> builders) throws IOException {
    builders.forEach(ChildCalls::place);
    return ProcessBuilder.startPipeline(builders);
  }

  private static void place(ProcessBuilder builder) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return;
    }
    starting(process, builder.command());
    if (builder.directory() == null) {
      builder.directory(process.workDir().toFile());
    }
    if (builder.redirectOutput() == Redirect.INHERIT) {
      builder.redirectOutput(inherited(process, process.stdoutFile()));
    }
    if (builder.redirectError() == Redirect.INHERIT) {
      builder.redirectError(inherited(process, process.stderrFile()));
    }
    if (builder.redirectInput() == Redirect.INHERIT) {
      builder.redirectInput(NOTHING);
    }
  }

  /** A child that is told the process's id is to do something to the process. */
  private static void starting(TaskProcess process, List<String> command) {
    if (command.stream().anyMatch(word -> word != null && OWN_PID.matcher(word).find())) {
      process.needProcess(
          ProcessNeed.reason("%s with its own process id".formatted(command.get(0))));
    }
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
    starting(process, List.of(command.trim().split("\\s+")));
    return runtime.exec(command, env(process, env), dir(process, dir));
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
    starting(process, Arrays.asList(command));
    return runtime.exec(command, env(process, env), dir(process, dir));
  }

  private static String[] env(TaskProcess process, String[] asked) {
    if (asked != null) {
      return asked;
    }
    return process.environment().entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .toArray(String[]::new);
  }

  private static File dir(TaskProcess process, File asked) {
    return asked == null ? process.workDir().toFile() : asked;
  }
}
