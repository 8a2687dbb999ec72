// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.JobJar;

/**
 * A hostile program: one deed, or several that one task commits one after the other, and what its
 * job needs.
 *
 * @param name short and unique; the deed's class without its package
 * @param deeds class names, in the order in which they are committed
 * @param classes folders with the deeds' classes, beside those of this module
 * @param what what it does, one clause
 * @param about what of the issue or of the census it stands for
 * @param mayNeedProcess whether its tasks may run outside engines
 * @param ends whether its process ends by it, so that its job fails
 * @param services {@code interface=class}
 * @param settings {@code key=value}
 * @param library classes that come with {@code -libjars}
 * @param classPathFiles names of files that come with {@code addFileToClassPath}
 */
record Program(
    String name,
    List<String> deeds,
    List<Path> classes,
    String what,
    String about,
    boolean mayNeedProcess,
    boolean ends,
    List<String> services,
    List<String> settings,
    List<String> library,
    List<String> classPathFiles) {
  private static final String DEEDS = "org/mammoth/compat/neighbours/deeds/";
  private static final String PARTS = "org/mammoth/compat/neighbours/parts/";
  private static final String HOSTILE = "org.mammoth.compat.neighbours.Hostile";

  /** The classes of this module's jobs. */
  static Path module() {
    return Path.of(System.getProperty("mammoth.compat.jobs.classes"));
  }

  /** All programs of this module, by name. */
  static List<Program> all() throws IOException {
    List<Program> programs = new ArrayList<>();
    try (URLClassLoader loader =
            new URLClassLoader(
                new URL[] {module().toUri().toURL()}, Program.class.getClassLoader());
        Stream<Path> files = Files.list(module().resolve(DEEDS))) {
      for (Path file : files.sorted().toList()) {
        String simple = file.getFileName().toString().replace(".class", "");
        Class<?> type = Class.forName(DEEDS.replace('/', '.') + simple, false, loader);
        for (Annotation each : type.getAnnotations()) {
          if (each.annotationType().getName().equals(HOSTILE)) {
            programs.add(of(type, each));
          }
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
    return programs;
  }

  private static Program of(Class<?> type, Annotation hostile) throws ReflectiveOperationException {
    List<String> library = new ArrayList<>();
    for (Class<?> each : (Class<?>[]) said(hostile, "library")) {
      library.add(each.getName());
    }
    return new Program(
        type.getSimpleName(),
        List.of(type.getName()),
        List.of(),
        (String) said(hostile, "value"),
        (String) said(hostile, "about"),
        (boolean) said(hostile, "mayNeedProcess"),
        (boolean) said(hostile, "ends"),
        List.of((String[]) said(hostile, "services")),
        List.of((String[]) said(hostile, "settings")),
        library,
        List.of((String[]) said(hostile, "classPathFiles")));
  }

  /** The annotation's class is the jar's and not this class loader's. */
  private static Object said(Annotation hostile, String name) throws ReflectiveOperationException {
    return hostile.annotationType().getMethod(name).invoke(hostile);
  }

  /** One job that commits the deeds of several programs and brings what all of them need. */
  static Program crowd(String name, List<Program> programs) {
    return new Program(
        name,
        together(programs, Program::deeds),
        together(programs, Program::classes),
        "all of " + programs.size() + " programs",
        "crowd",
        programs.stream().anyMatch(Program::mayNeedProcess),
        programs.stream().anyMatch(Program::ends),
        together(programs, Program::services),
        together(programs, Program::settings),
        together(programs, Program::library),
        together(programs, Program::classPathFiles));
  }

  private static <T> List<T> together(List<Program> programs, Function<Program, List<T>> part) {
    return programs.stream().map(part).flatMap(List::stream).distinct().toList();
  }

  /** Whether its job needs nothing but its classes, and ends well. */
  boolean isPlain() {
    return !ends
        && services.isEmpty()
        && settings.isEmpty()
        && library.isEmpty()
        && classPathFiles.isEmpty();
  }

  /** Writes its job jar, and what else its job brings, below a folder. */
  JobCode pack(Path folder) throws IOException {
    JobJar jar = new JobJar().files(module(), this::isWanted);
    for (Path each : classes) {
      jar.files(each, file -> true);
    }
    for (String service : services) {
      String[] parts = service.split("=", 2);
      jar.line("META-INF/services/" + parts[0], parts[1]);
    }
    jar.line("compat-bundle.properties", "owner=" + name);
    jar.line(
        "hostile-site.xml",
        "<configuration><property><name>hostile-mark</name><value>set</value></property></configuration>");
    return JobCode.of(jar.write(folder.resolve(name + ".jar")));
  }

  /** The job of the witness; nothing of any deed is in its jar. */
  static JobCode packWitness(Path folder, Path looks) throws IOException {
    JobJar jar =
        new JobJar()
            .files(module(), Program::isOfWitness)
            .line("compat-bundle.properties", "owner=witness");
    if (looks != null) {
      jar.files(looks, file -> true);
    }
    return JobCode.of(jar.write(folder.resolve("witness.jar")));
  }

  private static boolean isOfWitness(String file) {
    return file.startsWith("org/mammoth/compat/")
        && !file.startsWith(DEEDS)
        && !file.startsWith(PARTS);
  }

  private boolean isWanted(String file) {
    String type = file.replace('/', '.').replace(".class", "");
    if (!file.startsWith(DEEDS)) {
      return file.startsWith("org/mammoth/compat/") && !library.contains(type);
    }
    // A deed's own nested classes and the class around it, which has no code.
    return deeds.stream()
            .anyMatch(
                deed ->
                    type.equals(deed)
                        || type.startsWith(deed + "$")
                        || type.equals(deed.split("\\$")[0]))
        || services.stream().anyMatch(service -> service.endsWith("=" + type));
  }

  /** Sets the job's configuration; files go below a local folder. */
  void configure(Configuration conf, Path folder) throws IOException {
    conf.setStrings("mammoth.compat.deeds", deeds.toArray(new String[0]));
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      conf.set(parts[0], parts[1]);
    }
    if (!library.isEmpty()) {
      JobJar jar = new JobJar();
      for (String type : library) {
        String file = type.replace('.', '/') + ".class";
        jar.files(module(), file::equals);
      }
      Path written = jar.write(folder.resolve("library-of-" + name + ".jar"));
      // What GenericOptionsParser makes of -libjars.
      conf.set("tmpjars", written.toUri().toString());
    }
  }
}
