// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.link;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The classes that a JDK brings; by internal name. One thread. */
interface Platform extends Closeable {

  /** The class file of a class; null if there is none. Its methods may have no code. */
  byte[] find(String name) throws IOException;

  @Override
  default void close() throws IOException {
    // Most hold nothing.
  }

  /** That of this JVM. */
  static Platform ofThisJvm() {
    return name -> {
      try (InputStream in =
          ClassLoader.getSystemClassLoader().getResourceAsStream(name + ".class")) {
        return in == null ? null : in.readAllBytes();
      }
    };
  }

  /**
   * What an older release has for everyone, as {@code javac --release} knows it: from the file of
   * signatures of this JDK.
   *
   * @param release 8 or later, and before this JDK's
   * @throws IOException if this is no JDK, or knows nothing of the release
   */
  static Platform ofRelease(int release) throws IOException {
    ZipFile file = new ZipFile(System.getProperty("java.home") + "/lib/ct.sym");
    Map<String, ZipEntry> entries = new HashMap<>();
    // Names are RELEASES/MODULE/CLASS.sig, with a letter or digit per release.
    String letter = Integer.toString(release, Character.MAX_RADIX).toUpperCase(Locale.ROOT);
    file.stream()
        .filter(entry -> entry.getName().endsWith(".sig"))
        .filter(entry -> entry.getName().split("/")[0].contains(letter))
        .forEach(
            entry -> {
              String name = entry.getName().split("/", 3)[2];
              entries.put(name.substring(0, name.length() - ".sig".length()), entry);
            });
    if (entries.isEmpty()) {
      file.close();
      throw new IOException(file.getName() + " knows nothing of Java " + release);
    }
    return new Platform() {
      @Override
      public byte[] find(String name) throws IOException {
        ZipEntry entry = entries.get(name);
        return entry == null ? null : file.getInputStream(entry).readAllBytes();
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
