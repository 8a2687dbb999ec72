// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Rewrites classes before any engine loads them, so that a file of an engine's, which its option
 * {@code kept-in} names, need not begin empty. Holds for the class path and options of the JVM that
 * it runs in. Stateless.
 */
public final class ClassesAhead {

  private static final String MODULES = "jrt";

  private ClassesAhead() {}

  /**
   * Writes a file.
   *
   * @param file is new, or replaced
   * @param fastRecords as engines are told, see {@link StaticsAgent#option(Path, boolean)}
   * @param names of classes, with slashes; the JDK's, ours and those that are not there are left
   *     out
   * @return how many classes it holds
   * @throws IOException if the class path cannot be read, or the file not written whole
   */
  public static int write(Path file, boolean fastRecords, Collection<String> names)
      throws IOException {
    ClassLoader shared = StaticsAgent.class.getClassLoader();
    Files.deleteIfExists(file);
    int count = 0;
    try (RewrittenClasses classes = RewrittenClasses.open(file)) {
      for (String name : names) {
        URL url = StaticsAgent.isNeededHere(name) ? null : shared.getResource(name + ".class");
        if (url == null || url.getProtocol().equals(MODULES)) {
          continue;
        }
        byte[] code;
        try (InputStream in = url.openStream()) {
          code = in.readAllBytes();
        }
        byte[] rewritten;
        try {
          rewritten = StaticsAgent.rewritten(false, name, code, fastRecords);
        } catch (RuntimeException | LinkageError e) {
          // An engine that loads it ends and says so.
          System.err.println(name + " cannot be rewritten: " + e);
          continue;
        }
        classes.keep(name, code, rewritten);
        count++;
      }
      if (!classes.isWritten()) {
        throw new IOException(file + " cannot be written: is the disk full?");
      }
    }
    return count;
  }
}
