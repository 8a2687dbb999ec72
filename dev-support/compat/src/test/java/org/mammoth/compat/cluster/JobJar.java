// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Collects the entries of a jar and writes it. Not thread-safe. */
public final class JobJar {
  private final Map<String, byte[]> entries = new TreeMap<>();

  /** Adds files below a folder whose names, relative to it, are wanted. */
  public JobJar files(Path folder, Predicate<String> wanted) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString();
        if (wanted.test(name)) {
          entries.put(name, Files.readAllBytes(file));
        }
      }
    }
    return this;
  }

  /** Adds a line to an entry of text. */
  public JobJar line(String name, String line) {
    byte[] before = entries.getOrDefault(name, new byte[0]);
    String text = new String(before, StandardCharsets.UTF_8) + line + "\n";
    entries.put(name, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Writes all entries, sorted. */
  public Path write(Path jar) throws IOException {
    Files.createDirectories(jar.getParent());
    try (OutputStream raw = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(raw)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    return jar;
  }
}
