// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/**
 * What a container's {@code CLASSPATH} and {@code APP_CLASSPATH} name beside Hadoop's own classes,
 * read as the java launcher reads them: wildcards are the jars of a folder, names are relative to
 * the container's folder, and what the launch script would link there is found at its target.
 * Nothing is guessed from the names of localized files, so that whatever the client puts there
 * ({@code -libjars}, archives, files that are no jars) is there in an engine, too. Immutable.
 */
final class ContainerClassPath {

  private static final String ALL = File.separator + "*";

  /** But not the jars of its tests. */
  private static final Pattern HADOOP =
      Pattern.compile("hadoop-(common|mapreduce-client-core)-\\d.*(?<!-tests)\\.jar");

  private final File workDir;
  private final ContainerLinks links;
  private final SharedClassPath shared;
  private final String classPath;
  private final String property;
  private final boolean hasOwnLoader;

  /** Targets of links by what the job's classes see of them. */
  private final Map<String, String> entries = new LinkedHashMap<>();

  private final Map<String, String> nodeEntries = new LinkedHashMap<>();
  private String otherHadoop;

  /**
   * Reads it; asks the file system what is there.
   *
   * @param environment of the container, values expanded
   * @param workDir the container's folder, absolute
   * @param links what the script links into it
   * @param shared what needs no loader of the job's
   */
  ContainerClassPath(
      Map<String, String> environment, File workDir, ContainerLinks links, SharedClassPath shared) {
    this.workDir = workDir;
    this.links = links;
    this.shared = shared;
    classPath = environment.getOrDefault(Environment.CLASSPATH.name(), "");
    property = property(environment.getOrDefault(Environment.CLASSPATH.name(), "."));
    String ofJob = environment.getOrDefault(Environment.APP_CLASSPATH.name(), "");
    hasOwnLoader = !ofJob.isEmpty();
    addAll(classPath, ofJob, nodeEntries);
    addAll(ofJob, ofJob, entries);
  }

  private void addAll(String classPath, String ofJob, Map<String, String> found) {
    for (String entry : classPath.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        add(entry, ofJob.isEmpty() ? entries : found);
      }
    }
  }

  /**
   * Jars and folders in order, absolute; all are there, but for the container's own folder. They
   * are the job's alone where it has its classes before Hadoop's, by a class path of their own:
   * these are named as in the container's folder, by links that are made when it is launched, since
   * stock's loader of such classes says that they come from there. The launcher's says where the
   * links lead.
   */
  List<String> entries() {
    return List.copyOf(entries.keySet());
  }

  /** The others, in order: what an administrator has put beside Hadoop's. */
  List<String> nodeEntries() {
    return List.copyOf(nodeEntries.keySet());
  }

  /** All of them, in order, links followed. */
  List<String> allEntries() {
    return Stream.concat(nodeEntries.values().stream(), entries.values().stream()).toList();
  }

  /** {@code java.class.path} as the java launcher makes it of {@code CLASSPATH}. */
  String property() {
    return property;
  }

  /** A jar of another Hadoop than the engine's, which the engine cannot have beside its own. */
  Optional<String> otherHadoop() {
    return Optional.ofNullable(otherHadoop);
  }

  /**
   * Why its settings are not those that an engine has, empty if they are.
   *
   * @param jars see {@link SettingsFiles}
   */
  Optional<String> otherSettings(JarNames jars) {
    return new SettingsFiles(this, jars).reasonAgainst();
  }

  /**
   * Where a process would find a resource, in order: folders by what is in them, and jars. What an
   * engine has, too, is among them; wildcards stand for their jars.
   */
  List<File> places() {
    List<File> places = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      String path = path(entry);
      if (path.endsWith(ALL)) {
        places.addAll(jarsIn(path).values());
      } else {
        places.add(path.equals(workDir.getPath()) ? workDir : target(path));
      }
    }
    return places;
  }

  /** A file in a folder of the class path, by links that may not have been made yet. */
  File in(File folder, String name) {
    return target(new File(folder, name).getPath());
  }

  /** Whether a place is one of the engine's own. */
  boolean isShared(File place) {
    return shared.has(place) || isJar(place.getName()) && shared.hasAlike(place);
  }

  /** Only wildcards of folders that hold jars change; even what is not there stays. */
  private String property(String classPath) {
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      String path = path(entry);
      Set<String> jars = path.endsWith(ALL) ? jarsIn(path).keySet() : Set.of();
      if (jars.isEmpty()) {
        entries.add(entry);
      } else {
        String folder = entry.substring(0, entry.length() - 1);
        jars.forEach(jar -> entries.add(folder + jar));
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  /** An entry as the container's folder makes it, which is absolute. */
  private String path(String entry) {
    File file = new File(entry);
    return (file.isAbsolute() ? file : new File(workDir, entry)).toPath().normalize().toString();
  }

  private void add(String entry, Map<String, String> to) {
    String path = path(entry);
    boolean isOfOwnLoader = hasOwnLoader && to == entries;
    if (path.endsWith(ALL)) {
      String folder = path.substring(0, path.length() - 1);
      jarsIn(path)
          .forEach(
              (name, jar) -> {
                // ApplicationClassLoader takes a folder for a jar here, and finds nothing in it.
                if (!isOfOwnLoader || !jar.isDirectory()) {
                  add(folder + name, jar, to, isOfOwnLoader);
                }
              });
    } else {
      add(path, target(path), to, isOfOwnLoader);
    }
  }

  private void add(String path, File found, Map<String, String> to, boolean isOfOwnLoader) {
    boolean ofContainer = path.startsWith(workDir.getPath());
    boolean isFolder = path.equals(workDir.toPath().normalize().toString());
    // The container's own folder is made when it is launched.
    if (!found.exists() && !isFolder
        || shared.has(found)
        || !ofContainer && shared.hasAlike(found)) {
      return;
    }
    String seen = found.getPath();
    if (ofContainer) {
      seen = isFolder || isOfOwnLoader ? path : real(found);
    }
    to.putIfAbsent(seen, found.getPath());
    if (!ofContainer && HADOOP.matcher(found.getName()).matches()) {
      otherHadoop = found.getPath();
    }
  }

  /** As the JVM's own loader names what is on its class path: links followed. */
  private static String real(File file) {
    try {
      return file.toPath().toRealPath().toString();
    } catch (IOException e) {
      return file.getPath();
    }
  }

  /**
   * What stands behind a wildcard, by its name in the folder; the launcher takes folders, too. In
   * order of names: the launcher's order is the file system's, which may differ from node to node.
   */
  private Map<String, File> jarsIn(String wildcard) {
    File folder = new File(wildcard.substring(0, wildcard.length() - ALL.length()));
    Map<String, File> jars = new TreeMap<>();
    for (File file : ContainerLinks.filesOf(target(folder.getPath()))) {
      if (isJar(file.getName())) {
        jars.put(file.getName(), file);
      }
    }
    if (folder.equals(workDir)) {
      links
          .targets()
          .forEach(
              (link, file) -> {
                if (isJar(link) && link.indexOf('/') < 0) {
                  jars.put(link, file);
                }
              });
    }
    return jars;
  }

  /** Where a path leads, by links that may not have been made yet. */
  private File target(String path) {
    String folder = workDir.getPath() + File.separator;
    if (!path.startsWith(folder)) {
      return new File(path);
    }
    String name = path.substring(folder.length());
    for (int end = name.length(); end > 0; end = name.lastIndexOf('/', end - 1)) {
      Optional<File> linked = links.target(name.substring(0, end));
      if (linked.isPresent()) {
        return end == name.length()
            ? linked.get()
            : new File(linked.get(), name.substring(end + 1));
      }
    }
    return new File(path);
  }

  static boolean isJar(String name) {
    return name.endsWith(".jar") || name.endsWith(".JAR");
  }
}
