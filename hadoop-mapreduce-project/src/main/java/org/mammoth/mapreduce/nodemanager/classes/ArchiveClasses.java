// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Chooses what goes into the class archive: {@code mammoth cds} calls it.
 *
 * <p>Classes for Java 5 and older stay out, and the JVM leaves out their subclasses. It keeps them
 * unlinked in an archive. Engines redefine classes of the JDK ({@link
 * org.mammoth.engine.isolation.standins.jvm.DefaultsHook}), after which Java 17 makes the method
 * tables of archived classes anew from those of their superclasses, and crashes where a superclass
 * is not linked yet.
 */
public final class ArchiveClasses {

  /** Class files of Java 6. Older ones have no stack maps, and the JVM links them late. */
  private static final int FIRST_LINKED = 50;

  private static final int MAGIC = 0xCAFEBABE;

  /** Begins lines of a class list that name no class. */
  private static final String OTHER = "@";

  private ArchiveClasses() {}

  /**
   * Copies a class list without the classes that must not be archived.
   *
   * @param arguments the JVM's list, with slashes in names, and the file to write
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] arguments) throws IOException {
    List<String> chosen;
    try (var lines = Files.lines(Path.of(arguments[0]))) {
      chosen = lines.filter(line -> line.startsWith(OTHER) || isLinked(line)).toList();
    }
    Files.write(Path.of(arguments[1]), chosen);
  }

  /** Whether an archive has a class linked; also true where there is no such class file. */
  static boolean isLinked(String name) {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      if (in == null) {
        return true;
      }
      DataInputStream header = new DataInputStream(in);
      boolean isClass = header.readInt() == MAGIC;
      header.readUnsignedShort();
      return !isClass || header.readUnsignedShort() >= FIRST_LINKED;
    } catch (IOException unreadable) {
      return false;
    }
  }
}
