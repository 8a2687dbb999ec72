// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mammoth.upgrade.tree.JavaProcess;

/** Which Hadoop, which Java. */
final class Versions {

  /** Of these all suites have run, or the link check, the census and jobs under an upgrade. */
  private static final Set<String> TRIED = Set.of("3.4.0", "3.4.1", "3.4.2", "3.4.3");

  /** The link check, the census and jobs under an upgrade, but not all suites. */
  private static final Set<String> LINKED = Set.of("3.3.4", "3.3.5", "3.3.6", "3.5.0");

  private static final String BEFORE_THE_CACHE = "3.3.";

  private static final int OLDEST_JAVA = 17;
  private static final int LAST_GUARDED_JAVA = 23;

  private Versions() {}

  static List<Finding> check(Facts facts) throws IOException {
    List<Finding> found = new ArrayList<>();
    found.add(hadoop(facts.tree().version()));
    found.add(java(facts.nodeManager()));
    return found;
  }

  static Finding hadoop(Optional<String> version) {
    String id = "hadoop-version";
    if (version.isEmpty()) {
      return Finding.error(
          id,
          "no hadoop-common jar in share/hadoop/common: which Hadoop this is cannot be told",
          "name the right folder with --hadoop-home");
    }
    if (TRIED.contains(version.get())) {
      return Finding.ok(id, "Hadoop " + version.get());
    }
    if (LINKED.contains(version.get())) {
      return Finding.warning(
          id,
          "Hadoop "
              + version.get()
              + ": the jars link and small jobs ran; not all suites have"
              + (version.get().startsWith(BEFORE_THE_CACHE)
                  ? "; the SSD cache stays off, it needs 3.4.0"
                  : ""),
          "try one node for a day before the others");
    }
    return Finding.error(
        id,
        "Hadoop "
            + version.get()
            + " is not supported: Mammoth is for 3.3.4 to 3.3.6, 3.4.0 to 3.4.3, and 3.5.0",
        "leave this node as it is; nodes with and without Mammoth can be mixed");
  }

  static Finding java(Optional<JavaProcess> nodeManager) throws IOException {
    String id = "java-version";
    Optional<Path> home = nodeManager.flatMap(JavaProcess::javaHome);
    if (home.isEmpty()) {
      return nodeManager.isEmpty()
          ? Finding.warning(
              id,
              "no NodeManager of this installation runs here, so its Java cannot be seen",
              "start it, or see to it that its JAVA_HOME is a Java 17")
          : Finding.warning(
              id,
              "the NodeManager belongs to "
                  + nodeManager.get().owner()
                  + ", and this user may not see its Java",
              "run this as that user or as root");
    }
    return java(home.get());
  }

  private static Finding java(Path home) throws IOException {
    Optional<Integer> version = feature(home);
    String what = "Java " + version.map(String::valueOf).orElse("of unknown version");
    String where = what + " in " + home;
    if (version.isEmpty()) {
      return Finding.warning(
          "java-version", where, "see to it that the NodeManager's JAVA_HOME is a Java 17");
    }
    if (version.get() < OLDEST_JAVA) {
      return Finding.error(
          "java-version",
          where + ": engines have the NodeManager's Java, and need 17 or later",
          "set JAVA_HOME in hadoop-env.sh to a Java 17 and restart the NodeManager");
    }
    if (version.get() > LAST_GUARDED_JAVA) {
      return Finding.warning(
          "java-version",
          where + ": System.exit in a library of a job would end an engine, with all its tasks",
          "use Java 17, on which everything was tried");
    }
    return version.get() == OLDEST_JAVA
        ? Finding.ok("java-version", where)
        : Finding.warning(
            "java-version", where + ": engines were tried on 17 only", "try one node first");
  }

  /** The first number of a Java's version, from its file {@code release}. */
  static Optional<Integer> feature(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.isReadable(release)) {
      return Optional.empty();
    }
    return Files.readAllLines(release).stream()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .map(line -> line.replaceAll("[^\\d.]", "").replaceFirst("^1\\.", ""))
        .map(number -> Integer.parseInt(number.split("\\.")[0]))
        .findFirst();
  }
}
