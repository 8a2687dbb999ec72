// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Counts what matches patterns in all that passes the loopback. Needs root and Python. */
public final class Sniffer implements AutoCloseable {
  private final Process process;
  private final BufferedReader said;

  private Sniffer(Process process) {
    this.process = process;
    said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** Begins to listen, or returns null where this user may not. */
  public static Sniffer open(String... patterns) throws IOException {
    Path script =
        Path.of(
            Sniffer.class.getProtectionDomain().getCodeSource().getLocation().getPath(),
            "sniff.py");
    String[] command = new String[patterns.length + 2];
    command[0] = "python3";
    command[1] = script.toString();
    System.arraycopy(patterns, 0, command, 2, patterns.length);
    try {
      Sniffer sniffer =
          new Sniffer(
              new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
      return "listens".equals(sniffer.said.readLine()) ? sniffer : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** How often each pattern was seen until now; it listens no more. */
  public long[] counts() throws IOException {
    process.getOutputStream().close();
    String[] words = said.readLine().split(" ");
    long[] counts = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      counts[i] = Long.parseLong(words[i]);
    }
    return counts;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
