// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands of the node. Any thread. */
public final class Command {

  private static final int TAIL = 2_000;

  /**
   * How a command ended.
   *
   * @param status its exit status; -1 if it took too long
   * @param output the end of what it printed
   */
  public record Result(int status, String output) {}

  private Command() {}

  /**
   * Words that run as another user, if this is root and the user is not.
   *
   * @param user whose processes they should be
   */
  public static List<String> as(String user, List<String> words) {
    if (!System.getProperty("user.name").equals("root") || user.equals("root")) {
      return words;
    }
    List<String> all = new ArrayList<>(List.of("runuser", "-u", user, "--"));
    all.addAll(words);
    return all;
  }

  /** One word of a shell's command line. */
  public static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Words as a shell's command line. */
  public static String line(List<String> words) {
    return String.join(" ", words.stream().map(Command::quoted).toList());
  }

  /**
   * Runs a command to its end, without a terminal, away from folders that may go.
   *
   * @param environment added to this process's own
   * @param log where its output goes; null for a file that is removed afterwards
   * @param seconds after which it is killed
   */
  public static Result run(
      List<String> words, Map<String, String> environment, Path log, long seconds)
      throws IOException, InterruptedException {
    Path output = log == null ? Files.createTempFile("mammoth-upgrade", ".out") : log;
    try {
      ProcessBuilder builder = new ProcessBuilder(words);
      builder.environment().putAll(environment);
      builder.directory(new File("/"));
      builder.redirectInput(new File("/dev/null"));
      builder.redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      Process process = builder.start();
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new Result(-1, "it took more than " + seconds + " s; " + tail(output));
      }
      return new Result(process.exitValue(), tail(output));
    } finally {
      if (log == null) {
        Files.deleteIfExists(output);
      }
    }
  }

  private static String tail(Path file) throws IOException {
    String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
    return all.length() <= TAIL ? all : "..." + all.substring(all.length() - TAIL);
  }
}
