// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Classes of jars in order, and behind them those of a JDK; by internal name. One thread. */
final class ClassPath {

  private static final String SUFFIX = ".class";

  private final Platform platform;
  private final Map<String, byte[]> code = new HashMap<>();
  private final Map<String, Optional<ClassNode>> nodes = new HashMap<>();

  ClassPath(List<Path> jars, Platform platform) throws IOException {
    this.platform = platform;
    for (Path jar : jars) {
      for (Map.Entry<String, byte[]> each : classesOf(jar).entrySet()) {
        code.putIfAbsent(each.getKey(), each.getValue());
      }
    }
  }

  /** The classes of one jar. */
  static Map<String, byte[]> classesOf(Path jar) throws IOException {
    Map<String, byte[]> classes = new HashMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : file.stream().toList()) {
        String name = entry.getName();
        if (name.endsWith(SUFFIX)
            && !name.startsWith("META-INF/")
            && !name.endsWith("module-info.class")) {
          try (InputStream in = file.getInputStream(entry)) {
            classes.put(name.substring(0, name.length() - SUFFIX.length()), in.readAllBytes());
          }
        }
      }
    }
    return classes;
  }

  /** A class without the code of its methods; empty if there is none. */
  Optional<ClassNode> find(String name) {
    return nodes.computeIfAbsent(name, this::read);
  }

  private Optional<ClassNode> read(String name) {
    byte[] bytes = code.get(name);
    try {
      if (bytes == null) {
        bytes = platform.find(name);
      }
      if (bytes == null) {
        return Optional.empty();
      }
      ClassNode node = new ClassNode();
      new ClassReader(bytes).accept(node, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
      return Optional.of(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
