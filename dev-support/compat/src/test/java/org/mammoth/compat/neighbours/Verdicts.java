// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What did not hold, by program; told to a file too while the run goes on. Not thread-safe. */
final class Verdicts {
  private static final Path FILE = Path.of(System.getProperty("hadoop.log.dir"), "neighbours.txt");

  private final List<String> bad = new ArrayList<>();

  /** A program's verdict; it holds when there are no differences. */
  void add(String name, String place, List<String> differences) throws IOException {
    tell((differences.isEmpty() ? "same    " : "DIFFERS ") + name + " " + place);
    for (String difference : differences) {
      tell("    " + difference);
      bad.add(name + ": " + difference);
    }
  }

  void tell(String line) throws IOException {
    System.out.println(line);
    Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** All differences so far, with their programs' names. */
  List<String> bad() {
    return bad;
  }
}
