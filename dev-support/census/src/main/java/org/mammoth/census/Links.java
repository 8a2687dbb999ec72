// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.mammoth.engine.statics.StaticsAgent;

/**
 * Links every class of a release in a JVM that has the engine's agent, and so has the JVM verify
 * what the agent makes of each.
 */
public final class Links {

  private static final String FAULT = "does not link as the engine rewrites it: ";

  private Links() {}

  /**
   * Links the release's classes in a JVM of their own.
   *
   * @param jars those that an engine shares, in the order of its class path
   * @return a line for each class that the JVM refuses, and the last for what else went wrong
   */
  static List<String> faults(List<Path> jars, ClassFiles files) {
    try {
      return linked(jars, files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> linked(List<Path> jars, ClassFiles files) throws IOException {
    Path folder = Files.createTempDirectory("census");
    Path agent = folder.resolve("agent.jar");
    Path names = folder.resolve("names");
    try {
      StaticsAgent.writeJar(agent);
      Files.write(names, files.names());
      String classPath =
          jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
      Path own = Path.of(Links.class.getProtectionDomain().getCodeSource().getLocation().getPath());
      Process jvm =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx1500m",
                  "-XX:TieredStopAtLevel=1",
                  StaticsAgent.option(agent, true),
                  "-cp",
                  classPath + File.pathSeparator + own,
                  Links.class.getName(),
                  names.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = said.lines().filter(line -> line.contains(FAULT)).toList();
      boolean ended = jvm.waitFor() == 0 || !lines.isEmpty();
      return ended ? lines : List.of("classes of the release could not be linked:\n" + said);
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    } finally {
      Files.deleteIfExists(agent);
      Files.deleteIfExists(names);
      Files.deleteIfExists(folder);
    }
  }

  /**
   * Links classes of this JVM.
   *
   * @param args a file with their names
   */
  public static void main(String[] args) throws IOException {
    List<String> names = Files.readAllLines(Path.of(args[0]));
    long linked = names.parallelStream().filter(name -> links(name.replace('/', '.'))).count();
    System.out.println(linked + " of " + names.size() + " linked");
  }

  @SuppressWarnings("ReturnValueIgnored") // the call links the class; its answer is of no interest
  private static boolean links(String name) {
    try {
      // Looking for methods links a class, but does not initialise it.
      Class.forName(name, false, Links.class.getClassLoader()).getDeclaredMethods();
      return true;
    } catch (IllegalAccessError e) {
      // What extends a class that the JDK does not export, as a doclet may, is of no use to stock.
      if (!String.valueOf(e.getMessage()).startsWith("superclass access check failed")) {
        System.out.println(name + " " + FAULT + e.getMessage());
      }
    } catch (VerifyError | ClassFormatError | IncompatibleClassChangeError e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      // Nor is what implements an interface of an older library, which is a class in this one.
      if (!why.contains(" can not implement ")) {
        System.out.println(name + " " + FAULT + why);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      // It is of an optional part that is not in the release, for stock as well.
      return false;
    }
    return false;
  }
}
