// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Tells one release, class path and Java from another, as the JVM does for its class archive: by
 * length and time of each jar, and also by its inode and the time of its last change of any kind.
 * Folders count by the classes in them. Stateless.
 */
final class ClassPathVersion {

  private static final int BYTES = 12;

  private ClassPathVersion() {}

  /**
   * The version of a class path under a Java.
   *
   * @param classPath jars and folders, as {@code java.class.path}
   * @param java that loads it
   * @return a word for names of files
   * @throws IOException if a folder or jar cannot be looked at
   */
  static String of(String classPath, EngineJava java) throws IOException {
    MessageDigest all = DigestUtils.getSha256Digest();
    add(all, java.version());
    for (String entry : classPath.split(File.pathSeparator)) {
      add(all, Path.of(entry));
    }
    return Hex.encodeHexString(Arrays.copyOf(all.digest(), BYTES));
  }

  private static void add(MessageDigest all, Path entry) throws IOException {
    if (Files.isRegularFile(entry)) {
      addFile(all, entry);
    } else if (Files.isDirectory(entry)) {
      List<Path> classes;
      try (Stream<Path> files = Files.walk(entry)) {
        classes = files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
      }
      for (Path each : classes) {
        addFile(all, each);
      }
    }
  }

  private static void addFile(MessageDigest all, Path file) throws IOException {
    add(all, file.toString());
    try {
      Map<String, Object> is =
          new TreeMap<>(Files.readAttributes(file, "unix:size,lastModifiedTime,ctime,ino,dev"));
      add(all, is.toString());
    } catch (NoSuchFileException e) {
      add(all, "is gone");
    }
  }

  private static void add(MessageDigest all, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    all.update((byte) 0);
    all.update(bytes);
  }
}
