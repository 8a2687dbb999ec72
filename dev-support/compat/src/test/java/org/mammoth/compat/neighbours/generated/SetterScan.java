// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.generated;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds setters by their signatures: public static methods of public classes whose names say that
 * they change something that holds for a whole JVM.
 */
public final class SetterScan {
  private static final Pattern CHANGES =
      Pattern.compile("(set|add|register|insert|remove|deregister|unregister)([A-Z].*)?|define");

  /** What is passed to these is what they change. */
  private static final Pattern ON_THEIR_ARGUMENT =
      Pattern.compile(
          "java\\.lang\\.(reflect|invoke)\\..*|java\\.util\\.(Arrays|Collections)|.*Arrays?Utils?|"
              + "java\\.lang\\.(Math|StrictMath|Character|Integer|Long|Double|Float|Thread)|"
              + "java\\.awt\\..*|javax\\.swing\\..*|javax\\.accessibility\\..*|java\\.applet\\..*|"
              + ".*\\.(Test|Fault|FileBench|.*FaultInjector).*|"
              + "jdk\\.(incubator|internal)\\..*|com\\.sun\\.(jdi|source)\\..*|javax\\.tools\\..*|jdk\\.jshell.*");

  /** Configurations of one job: they are objects, and their setters change these only. */
  private static final Set<String> JOBS =
      Set.of(
          "org.apache.hadoop.conf.Configuration",
          "org.apache.hadoop.mapred.JobConf",
          "org.apache.hadoop.mapreduce.Job",
          "org.apache.hadoop.mapreduce.JobContext");

  /** Jars whose classes tasks use, daemons' apart. */
  public static final Pattern OF_TASKS =
      Pattern.compile(
          "(hadoop-(common|auth|hdfs-client|mapreduce-client-(core|common|jobclient|shuffle)|"
              + "yarn-(api|common|client))|reload4j|slf4j-.*|commons-(beanutils|configuration2|"
              + "lang3?|logging|io|net|compress)|avro)-[0-9].*");

  private SetterScan() {}

  /** Those of the JDK's exported packages. */
  public static List<Setter> jdk() throws IOException {
    List<Setter> setters = new ArrayList<>();
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    for (Module module : ModuleLayer.boot().modules()) {
      ModuleDescriptor described = module.getDescriptor();
      if (!described.name().startsWith("java.") && !described.name().equals("jdk.management")) {
        continue;
      }
      Path root = modules.resolve(described.name());
      for (ModuleDescriptor.Exports exported : described.exports()) {
        Path folder = root.resolve(exported.source().replace('.', '/'));
        if (exported.isQualified() || !Files.isDirectory(folder)) {
          continue;
        }
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
            look(root.relativize(file).toString(), null, setters);
          }
        }
      }
    }
    setters.sort(Comparator.comparing(Setter::toString));
    return setters;
  }

  /**
   * Those of the jars of a class path whose names are wanted, if they touch static state of their
   * class.
   */
  public static List<Setter> jars(String classPath, Pattern wanted) throws IOException {
    List<Setter> setters = new ArrayList<>();
    for (String entry : classPath.split(java.io.File.pathSeparator)) {
      Path jar = Path.of(entry);
      if (Files.isRegularFile(jar) && wanted.matcher(jar.getFileName().toString()).matches()) {
        try (JarFile opened = new JarFile(jar.toFile())) {
          Enumeration<JarEntry> entries = opened.entries();
          while (entries.hasMoreElements()) {
            JarEntry next = entries.nextElement();
            String name = next.getName();
            if (name.endsWith(".class") && name.startsWith("org/apache/")) {
              StaticState state;
              try (InputStream in = opened.getInputStream(next)) {
                state = StaticState.of(in.readAllBytes());
              }
              look(name, state, setters);
            }
          }
        }
      }
    }
    setters.sort(Comparator.comparing(Setter::toString));
    return setters;
  }

  private static void look(String file, StaticState state, List<Setter> setters) {
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    if (name.endsWith("-info") || ON_THEIR_ARGUMENT.matcher(name).matches()) {
      return;
    }
    try {
      Class<?> type = Class.forName(name, false, SetterScan.class.getClassLoader());
      if (!isReachable(type)) {
        return;
      }
      for (Method method : type.getDeclaredMethods()) {
        if (isSetter(method) && (state == null || state.isTouchedBy(method.getName()))) {
          setters.add(setter(type, method));
        }
      }
    } catch (ClassNotFoundException | LinkageError e) {
      // Needs a library that is not there; no job can use it either.
    }
  }

  private static boolean isReachable(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getDeclaringClass()) {
      if (!Modifier.isPublic(each.getModifiers())) {
        return false;
      }
    }
    return type.getCanonicalName() != null && !type.isInterface();
  }

  private static boolean isSetter(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    return Modifier.isStatic(method.getModifiers())
        && Modifier.isPublic(method.getModifiers())
        && !method.isSynthetic()
        && CHANGES.matcher(method.getName()).matches()
        && parameters.length > 0
        && Arrays.stream(parameters).noneMatch(each -> JOBS.contains(each.getName()))
        && Arrays.stream(parameters).allMatch(SetterScan::isReachableParameter);
  }

  private static boolean isReachableParameter(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element.isPrimitive() || isReachable(element) || isPublicInterface(element);
  }

  private static boolean isPublicInterface(Class<?> type) {
    return type.isInterface()
        && Modifier.isPublic(type.getModifiers())
        && type.getCanonicalName() != null
        && (type.getDeclaringClass() == null
            || Modifier.isPublic(type.getDeclaringClass().getModifiers()));
  }

  private static Setter setter(Class<?> type, Method method) {
    String what = method.getName().replaceFirst("^[a-z]+", "");
    for (String name : new String[] {"get" + what, "is" + what, "are" + what}) {
      try {
        Method getter = type.getMethod(name);
        if (Modifier.isStatic(getter.getModifiers()) && getter.getReturnType() != void.class) {
          Class<?> answer = getter.getReturnType();
          boolean plain = answer.isPrimitive() || answer == String.class || answer.isEnum();
          return new Setter(type.getCanonicalName(), method.getName(), types(method), name, plain);
        }
      } catch (NoSuchMethodException | LinkageError e) {
        // Another name may be there.
      }
    }
    return new Setter(type.getCanonicalName(), method.getName(), types(method), null, false);
  }

  private static List<String> types(Method method) {
    return Arrays.stream(method.getParameterTypes()).map(Class::getCanonicalName).toList();
  }
}
