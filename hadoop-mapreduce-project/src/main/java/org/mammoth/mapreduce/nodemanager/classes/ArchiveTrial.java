// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.statics.StaticsAgent;

/**
 * Loads all classes of a class archive in a JVM that is started as an engine is. An archive with
 * which engines crash would send all tasks of the node to ordinary containers, so {@code mammoth
 * cds} tries it on this host's JDK before it puts it in place.
 */
public final class ArchiveTrial {

  private ArchiveTrial() {}

  /**
   * Ends with the status of the other JVM.
   *
   * @param arguments the archive, and the list of its classes; what else is in that is left out
   * @throws IOException if the JVM cannot be started
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path archive = Path.of(arguments[0]).toAbsolutePath();
    Path agent = Files.createTempFile(archive.getParent(), "agent", ".jar");
    int status;
    try {
      StaticsAgent.writeJar(agent);
      List<String> command = new ArrayList<>();
      EngineJava java = EngineJava.ofThisProcess();
      command.add(java.program().toString());
      command.addAll(java.options());
      command.add("-XX:ErrorFile=" + archive.resolveSibling("error"));
      command.add(StaticsAgent.option(agent, true));
      String classPath = System.getProperty("java.class.path");
      command.addAll(new ClassArchive(archive, classPath).options());
      command.addAll(List.of("-cp", classPath, Load.class.getName(), arguments[1]));
      status = new ProcessBuilder(command).inheritIO().start().waitFor();
    } finally {
      Files.deleteIfExists(agent);
    }
    System.exit(status);
  }

  /** The other JVM. */
  public static final class Load {

    private Load() {}

    /**
     * @param arguments the list of classes
     */
    public static void main(String[] arguments) throws IOException {
      int loaded = 0;
      try (var lines = Files.lines(Path.of(arguments[0]))) {
        for (String name : lines.filter(RewriteAhead.CLASS.asMatchPredicate()).toList()) {
          try {
            Class.forName(name.replace('/', '.'), false, ClassLoader.getSystemClassLoader());
            loaded++;
          } catch (ClassNotFoundException | LinkageError notHere) {
            // Training saw it in a process with other jars.
          }
        }
      }
      System.out.println(loaded + " classes are loaded as engines load them");
    }
  }
}
