// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.diff;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the tasks of a job said about the process they ran in: attempt to process id and main class.
 */
public record Notes(Map<String, String> byAttempt) {
  /**
   * The main classes of a task's ordinary container: upstream's, and ours that counts and then is
   * upstream's.
   */
  private static final Set<String> ORDINARY =
      Set.of(
          "org.apache.hadoop.mapred.YarnChild", "org.apache.hadoop.mapred.OrdinaryContainerChild");

  /** Reads a folder of notes; empty if there is none. */
  public static Notes read(Path folder) throws IOException {
    Map<String, String> notes = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          String name = file.getFileName().toString();
          // Gates are opened by files of the same folder.
          if (name.startsWith("attempt_")) {
            notes.put(name, Files.readString(file));
          }
        }
      }
    }
    return new Notes(notes);
  }

  /** The ids of all processes that ran tasks. */
  public List<Long> processes() {
    return byAttempt.values().stream()
        .filter(note -> note.contains(" ")) // one that was killed may have left less
        .map(note -> Long.parseLong(note.split(" ")[0]))
        .distinct()
        .toList();
  }

  /** Attempts that ran in a container of their own. */
  public List<String> ordinary() {
    return byAttempt.entrySet().stream()
        .filter(note -> ORDINARY.stream().anyMatch(main -> note.getValue().endsWith(" " + main)))
        .map(Map.Entry::getKey)
        .toList();
  }
}
