// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * Finds a child's program where a process of the task would: a JVM looks for it on the search path
 * it was started with, and the task's may be another one than the engine's. Stateless, thread-safe.
 */
final class ChildPrograms {
  private static final String VARIABLE = "PATH";

  /** Where a JVM looks that was started without a search path. */
  private static final String UNSET = ":/bin:/usr/bin";

  private ChildPrograms() {}

  /**
   * The command with its program's place, if only the task's search path tells it.
   *
   * @param folder in which the child begins, which an empty entry of the path stands for
   * @return the command itself, whose child sees its name as written, where the engine's search
   *     path leads to the same program
   */
  static List<String> found(TaskProcess process, List<String> command, File folder) {
    String path = process.firstEnvironment().getOrDefault(VARIABLE, UNSET);
    String own = System.getenv().getOrDefault(VARIABLE, UNSET);
    if (command.isEmpty() || path.equals(own) || !isSought(command.get(0))) {
      return command;
    }
    Path file = place(path, command.get(0), folder.toPath());
    if (isSame(file, place(own, command.get(0), folder.toPath()))) {
      return command;
    }
    List<String> placed = new ArrayList<>(command);
    placed.set(0, file.toString());
    return placed;
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return isProgram(one) && isProgram(other) && Files.isSameFile(one, other);
    } catch (IOException e) {
      return false; // is gone
    }
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  private static boolean isSought(String program) {
    return program != null && !program.isEmpty() && program.indexOf('/') < 0;
  }

  /** Of those that cannot be started the one whose error callers of the kernel are told. */
  private static Path place(String path, String program, Path folder) {
    Path barred = null;
    Path last = Path.of(program);
    for (String entry : path.split(":", -1)) {
      try {
        last = folder.resolve(entry).resolve(program);
      } catch (InvalidPathException e) {
        continue; // names nothing
      }
      if (isProgram(last)) {
        return last;
      }
      barred = barred == null && Files.exists(last) ? last : barred;
    }
    return barred == null ? last : barred;
  }

  /**
   * What the task would have been told of a child that did not start: its program and its folder as
   * the task named them, and no folder where it named none.
   */
  static IOException told(IOException error, String named, File asked, String used, File folder) {
    String message = error.getMessage();
    String was = "Cannot run program \"%s\" (in directory \"%s\")".formatted(used, folder);
    if (message == null || !message.startsWith(was)) {
      return error;
    }
    String in = asked == null ? "" : " (in directory \"%s\")".formatted(asked);
    String rest = message.substring(was.length());
    IOException shown =
        new IOException(
            "Cannot run program \"%s\"%s%s".formatted(named, in, rest), error.getCause());
    shown.setStackTrace(error.getStackTrace());
    return shown;
  }
}
