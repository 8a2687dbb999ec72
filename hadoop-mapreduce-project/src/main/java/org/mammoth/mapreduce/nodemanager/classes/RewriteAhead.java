// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;
import org.mammoth.engine.statics.ClassesAhead;

/**
 * Rewrites the classes of a list for engines of this JVM's class path, into the folder of the class
 * archive: {@code mammoth cds} calls it.
 */
public final class RewriteAhead {

  /** What a line of a class list is that names a class. */
  static final Pattern CLASS = Pattern.compile("[\\w$/-]+");

  private RewriteAhead() {}

  /**
   * Writes a file for each way to rewrite, and removes those of other versions.
   *
   * @param arguments the folder, and a file with the name of a class, with slashes, on each line;
   *     what else is in it is left out
   * @throws IOException if a file cannot be read or written; the earlier ones may be gone
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    List<String> names;
    try (var lines = Files.lines(Path.of(arguments[1]))) {
      names = lines.filter(CLASS.asMatchPredicate()).distinct().toList();
    }
    String name =
        RewrittenClassFiles.AHEAD
            + ClassPathVersion.of(
                System.getProperty("java.class.path"), EngineJava.ofThisProcess());
    try (DirectoryStream<Path> earlier =
        Files.newDirectoryStream(folder, RewrittenClassFiles.AHEAD + "*")) {
      for (Path each : earlier) {
        Files.delete(each);
      }
    }
    write(folder.resolve(name), false, names);
    write(folder.resolve(name + RewrittenClassFiles.FAST), true, names);
  }

  private static void write(Path file, boolean fastRecords, List<String> names) throws IOException {
    Path incoming = file.resolveSibling("incoming-" + file.getFileName());
    int classes = ClassesAhead.write(incoming, fastRecords, names);
    Files.move(incoming, file, StandardCopyOption.ATOMIC_MOVE);
    System.out.println(classes + " classes are rewritten in " + file);
  }
}
