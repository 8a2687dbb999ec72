// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.mammoth.upgrade.node.Command;

/**
 * Runs this command on a host. One ssh carries the archive, unpacks it into a temporary folder of
 * its own, runs it and removes the folder. What runs there goes on if the connection breaks. Any
 * thread.
 */
public final class Remote {

  /** What ssh itself ends with when it cannot connect, or the connection breaks. */
  private static final int NOT_REACHED = 255;

  private static final int LOST = 254;

  /** A line by which a host says that it was reached. */
  private static final String REACHED = "mammoth-upgrade: reached";

  /**
   * How it ended.
   *
   * @param host where
   * @param status the command's exit status; 255 if the host was not reached, 254 if it was and the
   *     connection broke
   * @param lines what it printed
   */
  public record Answer(String host, int status, List<String> lines) {

    /** Whether the host was reached at all. */
    public boolean isReached() {
      return status != NOT_REACHED;
    }

    /** Whether the connection broke, so that the command goes on there. */
    public boolean isLost() {
      return status == LOST;
    }
  }

  private final List<String> ssh;
  private final Payload payload;

  /**
   * @param ssh words of the command that is given a host and a command line, as ssh is
   */
  public Remote(List<String> ssh, Payload payload) {
    this.ssh = List.copyOf(ssh);
    this.payload = payload;
  }

  /**
   * Runs the command with arguments on a host.
   *
   * @param said told of each line as it comes
   */
  public Answer run(String host, List<String> arguments, Consumer<String> said)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(ssh);
    words.add(host);
    words.add(line(arguments));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.redirectInput(payload.archive().toFile());
    builder.redirectErrorStream(true);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new IOException("cannot run " + ssh.get(0) + " (--ssh): " + e.getMessage(), e);
    }
    List<String> lines = new ArrayList<>();
    boolean isReached = false;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.equals(REACHED)) {
          isReached = true;
          continue;
        }
        lines.add(line);
        said.accept(line);
      }
    }
    int status = process.waitFor();
    return new Answer(host, isReached && status == NOT_REACHED ? LOST : status, lines);
  }

  /** For whatever shell the user has there. */
  static String line(List<String> arguments) {
    String script =
        "echo '"
            + REACHED
            + "'; d=$(mktemp -d) && trap 'rm -rf \"$d\"' EXIT && tar xzf - -C \"$d\""
            // A temporary folder need not be one from which files are executed.
            + " && bash \"$d\"/bin/mammoth-upgrade "
            + Command.line(arguments);
    return "bash -c " + Command.quoted(script);
  }
}
