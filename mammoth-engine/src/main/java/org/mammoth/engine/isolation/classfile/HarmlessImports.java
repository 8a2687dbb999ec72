// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which native libraries of jobs an engine may load: those that take nothing from other libraries
 * by which they reach what a process has once. What is harmless is listed, in {@code
 * harmless-imports.txt}, and not what is harmful, of which no list is ever whole. Stateless,
 * thread-safe.
 */
public final class HarmlessImports {
  private static final String LIST = "harmless-imports.txt";
  private static final Set<String> NAMES =
      words().filter(word -> !word.endsWith("*")).collect(Collectors.toUnmodifiableSet());
  private static final Set<String> BEGINNINGS =
      words()
          .filter(word -> word.endsWith("*"))
          .map(word -> word.substring(0, word.length() - 1))
          .collect(Collectors.toUnmodifiableSet());

  private HarmlessImports() {}

  /**
   * Why a library needs a process, for people, or nothing if it needs none.
   *
   * @param file a file that exists
   */
  public static Optional<String> objection(Path file) {
    try {
      NativeFile library = NativeFile.read(file);
      Optional<String> shared =
          library.uniques().stream().findFirst().map(name -> "shares " + name + " with its copies");
      return shared.or(
          () ->
              library.imports().stream()
                  .filter(name -> !isHarmless(name))
                  .sorted()
                  .findFirst()
                  .map(name -> "uses " + name));
    } catch (IOException e) {
      return Optional.of("cannot be looked into: " + e.getMessage());
    }
  }

  /** Whether a function of that name touches nothing that a process has once. */
  public static boolean isHarmless(String name) {
    return NAMES.contains(name) || BEGINNINGS.stream().anyMatch(name::startsWith);
  }

  private static Stream<String> words() {
    try (InputStream in = HarmlessImports.class.getResourceAsStream(LIST)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .flatMap(line -> Arrays.stream(line.split(" ")))
          .filter(word -> !word.isEmpty());
    } catch (IOException e) {
      throw new UncheckedIOException(LIST + " cannot be read", e);
    }
  }
}
