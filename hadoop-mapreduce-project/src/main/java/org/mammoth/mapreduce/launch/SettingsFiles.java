// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The files that a container's JVM would read its settings from, found on its class path as the JVM
 * finds them. An engine has read its node's: a container that would find another one first, linked
 * with {@code -files} or in a folder that its environment names, needs a process.
 */
final class SettingsFiles {

  /** Of the node's configuration; none of Hadoop's jars has one. */
  private static final List<String> SITE =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");

  /** In Hadoop's jars, which come before the job's. */
  private static final List<String> IN_JARS =
      List.of(
          "core-default.xml",
          "hdfs-default.xml",
          "yarn-default.xml",
          "mapred-default.xml",
          "container-log4j.properties");

  private final ContainerClassPath classPath;
  private final JarNames jars;
  private final List<File> places;

  /**
   * @param jars of {@link #jarNames}
   */
  SettingsFiles(ContainerClassPath classPath, JarNames jars) {
    this.classPath = classPath;
    this.jars = jars;
    places = classPath.places();
  }

  /** What is looked for in jars, to be kept for containers to come. */
  static JarNames jarNames() {
    return new JarNames(Set.copyOf(SITE));
  }

  /** Why they are not those that an engine has, empty if they are. */
  Optional<String> reasonAgainst() {
    for (String name : SITE) {
      Optional<File> other = otherSite(name);
      if (other.isPresent()) {
        return other.map(file -> reason(name, file));
      }
    }
    for (String name : IN_JARS) {
      Optional<File> other = otherThanInJars(name);
      if (other.isPresent()) {
        return other.map(file -> reason(name, file));
      }
    }
    return Optional.empty();
  }

  private static String reason(String name, File file) {
    return "its class path has another " + name + ": " + file;
  }

  private Optional<File> otherSite(String name) {
    for (File place : places) {
      File file = inFolder(place, name);
      if (file.isFile()) {
        return classPath.isShared(place) || isAlike(file, ofNode(name))
            ? Optional.empty()
            : Optional.of(file);
      }
      if (isInOwnJar(place, name)) {
        return Optional.of(new File(place, name));
      }
    }
    return Optional.empty();
  }

  private Optional<File> otherThanInJars(String name) {
    for (File place : places) {
      File file = inFolder(place, name);
      if (file.isFile()) {
        return isAlike(file, inHadoop(name)) ? Optional.empty() : Optional.of(file);
      }
      if (ContainerClassPath.isJar(place.getName())) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private File inFolder(File place, String name) {
    return ContainerClassPath.isJar(place.getName())
        ? new File(place, name)
        : classPath.in(place, name);
  }

  private boolean isInOwnJar(File place, String name) {
    return ContainerClassPath.isJar(place.getName())
        && !classPath.isShared(place)
        && place.isFile()
        && jars.in(place).contains(name);
  }

  private static Optional<URL> ofNode(String name) {
    return Optional.ofNullable(SettingsFiles.class.getClassLoader().getResource(name));
  }

  private static Optional<URL> inHadoop(String name) {
    try {
      return Collections.list(SettingsFiles.class.getClassLoader().getResources(name)).stream()
          .filter(url -> url.getProtocol().equals("jar"))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for " + name + " in Hadoop's jars", e);
    }
  }

  private static boolean isAlike(File file, Optional<URL> other) {
    if (other.isEmpty()) {
      return false;
    }
    try (InputStream in = other.get().openStream()) {
      return Arrays.equals(in.readAllBytes(), Files.readAllBytes(file.toPath()));
    } catch (IOException e) {
      return false;
    }
  }
}
