// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mammoth.upgrade.tree.JavaHome;
import org.mammoth.upgrade.tree.JavaProcess;

/** Which Hadoop, which Java. */
final class Versions {

  /** Of these all suites have run, or the link check, the census and jobs under an upgrade. */
  private static final Set<String> TRIED = Set.of("3.4.0", "3.4.1", "3.4.2", "3.4.3");

  /** The link check, the census and jobs under an upgrade, but not all suites. */
  private static final Set<String> LINKED = Set.of("3.3.4", "3.3.5", "3.3.6", "3.5.0");

  private static final String BEFORE_THE_CACHE = "3.3.";

  private static final String JAVA = "java-version";

  /** From then on the JDK has no SecurityManager, of which earlier Hadoop asks who acts. */
  private static final int LAST_OF_HADOOP_3_4 = 23;

  private Versions() {}

  static List<Finding> check(Facts facts) throws IOException {
    List<Finding> found = new ArrayList<>();
    found.add(hadoop(facts.tree().version()));
    found.add(java(facts.nodeManager(), facts.enginesJava()));
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

  /**
   * Judges the Java of a NodeManager and its engines.
   *
   * @param nodeManager the one that runs
   * @param chosen what engines are to run on; empty for the NodeManager's
   */
  static Finding java(Optional<JavaProcess> nodeManager, Optional<JavaHome> chosen)
      throws IOException {
    Optional<Path> home = nodeManager.flatMap(JavaProcess::javaHome);
    if (home.isPresent()) {
      return java(new JavaHome(home.get()), chosen);
    }
    return nodeManager.isEmpty()
        ? Finding.warning(
            JAVA,
            "no NodeManager of this installation runs here, so its Java cannot be seen",
            "start it, or see to it that its JAVA_HOME is a Java 17")
        : Finding.warning(
            JAVA,
            "the NodeManager belongs to "
                + nodeManager.get().owner()
                + ", and this user may not see its Java",
            "run this as that user or as root");
  }

  static Finding java(JavaHome nodeManagers, Optional<JavaHome> chosen) throws IOException {
    JavaHome engines = chosen.orElse(nodeManagers);
    String where =
        chosen.isEmpty()
            ? nodeManagers.text()
            : nodeManagers.text() + " for the NodeManager, " + engines.text() + " for engines";
    if (nodeManagers.feature().isEmpty() || engines.feature().isEmpty()) {
      return Finding.warning(
          JAVA, where, "see to it that the NodeManager's JAVA_HOME is a Java 17");
    }
    if (nodeManagers.feature().get() < JavaHome.OLDEST_OF_DAEMONS) {
      return Finding.error(
          JAVA,
          where + ": the jars need Java " + JavaHome.OLDEST_OF_DAEMONS + " or later",
          "set JAVA_HOME in hadoop-env.sh to a Java 11 or 17 and restart the NodeManager");
    }
    int java = engines.feature().get();
    if (java < JavaHome.OLDEST_OF_ENGINES) {
      return Finding.error(
          JAVA,
          where + ": engines need Java " + JavaHome.OLDEST_OF_ENGINES + " or later",
          "install one and set " + JavaHome.ENGINES_KEY + " in yarn-site.xml to its home");
    }
    if (java > LAST_OF_HADOOP_3_4) {
      return Finding.warning(
          JAVA,
          where
              + ": Hadoop before 3.5 does not run on it, and engines were tried with fewer suites than"
              + " on 17",
          "use Java 17, on which everything was tried");
    }
    return java == JavaHome.OLDEST_OF_ENGINES
        ? Finding.ok(JAVA, where)
        : Finding.warning(
            JAVA,
            where + ": engines were tried with fewer suites than on 17",
            "try one node first");
  }
}
