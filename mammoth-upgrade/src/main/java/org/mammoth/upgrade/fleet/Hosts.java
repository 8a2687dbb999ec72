// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lists of hosts. */
public final class Hosts {

  private Hosts() {}

  /**
   * The hosts of a file: one a line, in order, each once. What follows a {@code #} is left out, so
   * that Hadoop's own {@code workers} file can be taken.
   *
   * @throws IOException if it cannot be read, names none, or has a line that is no host name
   */
  public static List<String> read(Path file) throws IOException {
    Set<String> hosts = new LinkedHashSet<>();
    // Comments may be in whatever letters.
    String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    for (String line : all.split("\\R")) {
      String host = line.replaceFirst("#.*", "").trim();
      if (host.isEmpty()) {
        continue;
      }
      if (host.startsWith("-") || host.contains(" ")) {
        throw new IOException(file + ": '" + host + "' is no host name; one a line is wanted");
      }
      hosts.add(host);
    }
    if (hosts.isEmpty()) {
      throw new IOException(file + " names no host");
    }
    return List.copyOf(hosts);
  }

  /** Hosts in groups of at most {@code size}, in order. */
  public static List<List<String>> batches(List<String> hosts, int size) {
    List<List<String>> batches = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i += size) {
      batches.add(hosts.subList(i, Math.min(hosts.size(), i + size)));
    }
    return batches;
  }
}
