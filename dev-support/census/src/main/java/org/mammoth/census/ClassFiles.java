// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.mammoth.engine.isolation.loading.SharedJars;

/**
 * The classes of some jars, by internal name. As in a JVM, the first jar that has a class counts,
 * and a jar for several releases gives what a JVM of this release takes. Not changed once read.
 */
final class ClassFiles {

  private static final String SUFFIX = ".class";

  /** The folders of an engine's class path: EngineLauncher takes the NodeManager's. */
  static final List<String> ROOMS =
      List.of(
          "common/lib",
          "common",
          "hdfs/lib",
          "hdfs",
          "yarn/lib",
          "yarn",
          "yarn/timelineservice",
          "mapreduce/lib",
          "mapreduce",
          "mammoth");

  private final Map<String, byte[]> code = new LinkedHashMap<>();
  private final Map<String, String> jars = new LinkedHashMap<>();

  /** The classes that engines of a release share among tasks. */
  static ClassFiles ofRelease(Path shareHadoop) throws IOException {
    return ofJars(jarsOf(shareHadoop));
  }

  /** The jars of a release that engines share, in the order of their class path. */
  static List<Path> jarsOf(Path shareHadoop) throws IOException {
    SharedJars shared = SharedJars.with(List.of());
    return allJarsOf(shareHadoop).stream().filter(jar -> shared.has(jar.toString())).toList();
  }

  /** What the launchers of a release put on a NodeManager's class path, in its order. */
  static List<Path> allJarsOf(Path shareHadoop) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String room : ROOMS) {
      Path dir = shareHadoop.resolve(room);
      if (Files.isDirectory(dir)) {
        try (Stream<Path> files = Files.list(dir)) {
          files.filter(f -> f.toString().endsWith(".jar")).sorted().forEach(jars::add);
        }
      }
    }
    if (jars.isEmpty()) {
      throw new IOException("no jars below " + shareHadoop + "; build the release first");
    }
    return jars;
  }

  static ClassFiles ofJars(Collection<Path> jars) throws IOException {
    ClassFiles all = new ClassFiles();
    for (Path jar : jars) {
      all.read(jar);
    }
    return all;
  }

  /** For tests: these classes, as their loader has them. */
  static ClassFiles ofClasses(Collection<Class<?>> classes) {
    ClassFiles all = new ClassFiles();
    for (Class<?> type : classes) {
      String name = type.getName().replace('.', '/');
      try (InputStream in = type.getClassLoader().getResourceAsStream(name + SUFFIX)) {
        all.add(name, "test", in.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(name, e);
      }
    }
    return all;
  }

  private void read(Path file) throws IOException {
    String jarName = file.getFileName().toString();
    try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
      List<JarEntry> entries = jar.versionedStream().toList();
      for (JarEntry entry : entries) {
        String name = entry.getName();
        if (name.endsWith(SUFFIX) && !name.endsWith("-info.class")) {
          try (InputStream in = jar.getInputStream(entry)) {
            add(name.substring(0, name.length() - SUFFIX.length()), jarName, in.readAllBytes());
          }
        }
      }
    }
  }

  private void add(String name, String jar, byte[] bytes) {
    if (code.putIfAbsent(name, bytes) == null) {
      jars.put(name, jar);
    }
  }

  Collection<String> names() {
    return code.keySet();
  }

  /** A class's bytes, or null. */
  byte[] code(String name) {
    return code.get(name);
  }

  /** A loader that gives these classes' files, for the engine's rewriter, and no classes. */
  ClassLoader loader() {
    return new ClassLoader(ClassFiles.class.getClassLoader()) {
      @Override
      public InputStream getResourceAsStream(String name) {
        byte[] found =
            name.endsWith(SUFFIX)
                ? code.get(name.substring(0, name.length() - SUFFIX.length()))
                : null;
        return found == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(found);
      }
    };
  }

  /** The file that a class comes from. */
  String jar(String name) {
    return jars.get(name);
  }
}
