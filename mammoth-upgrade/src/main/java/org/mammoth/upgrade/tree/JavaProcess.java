// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process as {@code /proc} shows it.
 *
 * @param pid its number
 * @param words its command line
 * @param environment its environment; empty if this user may not read it
 * @param owner name of the user it runs as
 */
public record JavaProcess(
    long pid, List<String> words, Map<String, String> environment, String owner) {

  private static final Path PROC = Path.of("/proc");

  /** All processes whose command line has the word; one that ends meanwhile is left out. */
  public static List<JavaProcess> withWord(String word) throws IOException {
    try (Stream<Path> entries = Files.list(PROC)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.chars().allMatch(Character::isDigit))
          .map(name -> read(Long.parseLong(name), word))
          .flatMap(Optional::stream)
          .toList();
    }
  }

  private static Optional<JavaProcess> read(long pid, String word) {
    Path folder = PROC.resolve(String.valueOf(pid));
    try {
      List<String> words = strings(folder.resolve("cmdline"));
      if (!words.contains(word)) {
        return Optional.empty();
      }
      return Optional.of(
          new JavaProcess(
              pid,
              words,
              environment(folder.resolve("environ")),
              Files.getOwner(folder).getName()));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static Map<String, String> environment(Path file) {
    Map<String, String> variables = new HashMap<>();
    try {
      for (String line : strings(file)) {
        int equals = line.indexOf('=');
        if (equals > 0) {
          variables.put(line.substring(0, equals), line.substring(equals + 1));
        }
      }
    } catch (IOException notOurs) {
      return Map.of();
    }
    return variables;
  }

  private static List<String> strings(Path file) throws IOException {
    String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    return Arrays.asList(all.split("\0"));
  }

  /** The value of {@code -Dname=value} on its command line. */
  public Optional<String> property(String name) {
    String begin = "-D" + name + "=";
    return words.stream()
        .filter(word -> word.startsWith(begin))
        .map(word -> word.substring(begin.length()))
        .reduce((first, last) -> last);
  }

  /** The folder of its Java, if this user may see it. */
  public Optional<Path> javaHome() {
    try {
      Path java = Files.readSymbolicLink(PROC.resolve(pid + "/exe"));
      return Optional.of(java.getParent().getParent());
    } catch (IOException notOurs) {
      return Optional.empty();
    }
  }

  /**
   * Whether its program is called java, as far as this user may see it. The owner of another one
   * need not be who started it: there are programs that are always root's.
   */
  public boolean isJava() {
    try {
      Path program = Files.readSymbolicLink(PROC.resolve(pid + "/exe"));
      return program.getFileName().toString().matches("java( \\(deleted\\))?");
    } catch (IOException notOurs) {
      return true;
    }
  }

  /** Resident memory in MiB; 0 if it is gone. */
  public long residentMb() {
    try (Stream<String> lines = Files.lines(PROC.resolve(pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | RuntimeException gone) {
      return 0;
    }
  }
}
