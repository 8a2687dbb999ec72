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
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs commands of the node. Any thread. */
public final class Command {

  private static final int TAIL = 2_000;

  /**
   * What this user's shell may have for another Hadoop, and daemons of the node are not to have.
   */
  private static final String OF_SHELLS =
      "(HADOOP|YARN|HDFS|MAPRED|MAMMOTH)_.*|CLASSPATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS"
          + "|JDK_JAVA_OPTIONS";

  /**
   * How a command ended.
   *
   * @param status its exit status; -1 if it took too long
   * @param output the end of what it printed
   */
  public record Result(int status, String output) {}

  private Command() {}

  /**
   * Words that run as another user, if this is root and the user is not, with some variables set:
   * for the command alone, as these may be what another user has put there.
   *
   * @param user whose processes they should be
   */
  static List<String> as(String user, Map<String, String> environment, List<String> words) {
    List<String> all = new ArrayList<>();
    if (Owners.isRoot() && !user.equals("root")) {
      all.addAll(List.of("runuser", "-u", user, "--"));
    }
    all.add("env");
    new TreeMap<>(environment).forEach((name, value) -> all.add(name + "=" + value));
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
   * Runs a command to its end, without a terminal, away from folders that may go, with this
   * process's environment but for what that has for Hadoop.
   *
   * @param log where its output goes, made anew; null for a file that is removed afterwards
   * @param seconds after which it is killed
   */
  public static Result run(List<String> words, Path log, long seconds)
      throws IOException, InterruptedException {
    Path output = log == null ? Files.createTempFile("mammoth-upgrade", ".out") : log;
    try {
      if (log != null) {
        // Whatever has this name: a link would lead elsewhere.
        Files.deleteIfExists(log);
        Files.createFile(log);
      }
      ProcessBuilder builder = new ProcessBuilder(words);
      builder.environment().keySet().removeIf(name -> name.matches(OF_SHELLS));
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
