// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaProcess;

/**
 * Which process of this machine is an installation's NodeManager. Words and environment of a
 * process are what whoever started it likes; so one whose owner the installation does not know is
 * not taken, and of two none. Any thread.
 */
final class NodeManagers {

  private static final String MAIN = "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final String CONF = "HADOOP_CONF_DIR";

  private NodeManagers() {}

  /**
   * The one of an installation and a configuration; empty if none runs.
   *
   * @throws StepFailedException if nobody can tell which it is, or whether it is one
   */
  static Optional<JavaProcess> find(HadoopTree tree) throws IOException {
    List<JavaProcess> found =
        from(tree.home()).stream().filter(process -> isOf(process, tree)).toList();
    if (found.size() > 1) {
      throw new StepFailedException(
          "more than one process is the NodeManager of "
              + tree.home()
              + " with "
              + tree.conf()
              + ", or says so: "
              + names(found)
              + ". End those that are none");
    }
    Owners owners = new Owners(tree.home());
    for (JavaProcess process : found) {
      if (!owners.mayBe(process, tree.conf())) {
        throw new StepFailedException(
            names(found)
                + " says that it is the NodeManager of "
                + tree.home()
                + ", but its user owns neither that folder nor the newest log in it nor a folder of"
                + " yarn.nodemanager.local-dirs. End it if it is none; if it is, run this as its"
                + " user");
      }
    }
    return found.stream().findFirst();
  }

  /**
   * The configuration of the NodeManager that runs from an installation; empty if none does.
   *
   * @throws StepFailedException if there are several, or it is not the administrator's
   */
  static Optional<Path> confOf(Path home) throws IOException {
    List<JavaProcess> found = from(home);
    Set<Path> folders =
        found.stream()
            .map(process -> process.environment().get(CONF))
            .filter(conf -> conf != null)
            .map(Path::of)
            .collect(Collectors.toSet());
    if (folders.size() > 1) {
      throw new StepFailedException(
          "NodeManagers of "
              + home
              + " run with several configurations, or say so ("
              + names(found)
              + "): name one with --conf-dir");
    }
    Optional<Path> conf = folders.stream().findFirst();
    if (conf.isPresent() && !new Owners(home).isAdministrators(conf.get())) {
      throw new StepFailedException(
          names(found)
              + " has its configuration in "
              + conf.get()
              + ", which is neither root's nor that of the owner of "
              + home
              + ": if it is the right one, name it with --conf-dir");
    }
    return conf;
  }

  /** Those of an installation, whatever their configuration. */
  private static List<JavaProcess> from(Path home) throws IOException {
    List<JavaProcess> all = JavaProcess.withWord(MAIN);
    // A process has the words of the one that starts it until it has words of its own.
    Set<Long> pids = all.stream().map(JavaProcess::pid).collect(Collectors.toSet());
    return all.stream()
        .filter(process -> process.isJava() && isSame(home(process), home))
        .filter(process -> parent(process).filter(pids::contains).isEmpty())
        .toList();
  }

  private static Optional<Long> parent(JavaProcess process) {
    return ProcessHandle.of(process.pid()).flatMap(ProcessHandle::parent).map(ProcessHandle::pid);
  }

  /** Whether a process was started from an installation and a configuration, or says so. */
  static boolean isOf(JavaProcess process, HadoopTree tree) {
    String settings = process.environment().getOrDefault(CONF, "");
    return isSame(home(process), tree.home())
        && (settings.isEmpty() || isSame(settings, tree.conf()));
  }

  private static String home(JavaProcess process) {
    return Stream.of("HADOOP_YARN_HOME", "HADOOP_HOME", "HADOOP_COMMON_HOME")
        .map(process.environment()::get)
        .filter(value -> value != null)
        .findFirst()
        .or(() -> process.property("yarn.home.dir"))
        .or(() -> process.property("hadoop.home.dir"))
        .orElse("");
  }

  private static boolean isSame(String path, Path other) {
    try {
      return !path.isEmpty() && Path.of(path).toRealPath().equals(other.toRealPath());
    } catch (IOException notThere) {
      return false;
    }
  }

  private static String names(List<JavaProcess> processes) {
    return processes.stream()
        .map(process -> "process " + process.pid() + " of " + process.owner())
        .collect(Collectors.joining(", "));
  }
}
