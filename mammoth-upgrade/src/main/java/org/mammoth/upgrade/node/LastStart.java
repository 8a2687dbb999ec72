// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mammoth.upgrade.tree.DaemonStart;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.Variables;

/**
 * How the node's NodeManager was started last: as its process shows it or, while none runs, as the
 * journal of the run that stopped it has it. One thread.
 */
final class LastStart implements Variables {

  /** What a NodeManager's environment hands on to its successor. */
  private static final List<String> INHERITED =
      List.of(
          "JAVA_HOME",
          "HADOOP_HOME",
          "HADOOP_COMMON_HOME",
          "HADOOP_HDFS_HOME",
          "HADOOP_YARN_HOME",
          "HADOOP_MAPRED_HOME",
          "HADOOP_LIBEXEC_DIR",
          "HADOOP_LOG_DIR",
          "HADOOP_PID_DIR",
          "HADOOP_IDENT_STRING",
          "HADOOP_HEAPSIZE_MAX",
          "HADOOP_HEAPSIZE_MIN",
          "HADOOP_CLASSPATH",
          "HADOOP_USER_CLASSPATH_FIRST",
          "HADOOP_OPTIONAL_TOOLS",
          "YARN_NODEMANAGER_OPTS",
          "YARN_LOG_DIR",
          "YARN_PID_DIR",
          "LD_LIBRARY_PATH",
          "PATH",
          "LANG");

  private static final String LOGS = "hadoop.log.dir";

  /** Properties by which it finds its folders. */
  private static final List<String> PLACES = List.of(LOGS, "hadoop.tmp.dir");

  private final HadoopTree tree;
  private final Owners owners;
  private final ObjectMapper json = new ObjectMapper();
  private Optional<DaemonStart> known;

  /**
   * The one of an installation.
   *
   * @param file with the journal
   */
  LastStart(HadoopTree tree, Path file) throws IOException {
    this.tree = tree;
    this.owners = new Owners(tree.home());
    this.known = new Journal(file, Clock.systemUTC()).lastStart().flatMap(this::read);
    if (known.isPresent() && !isTrue(known.get(), file)) {
      known = Optional.empty();
    }
  }

  /** Root does not run programs as whomever a journal names that another user can write. */
  private boolean isTrue(DaemonStart start, Path file) throws IOException {
    return !Owners.isRoot()
        || Owners.owner(file).equals("root")
        || owners.mayBe(start.user(), tree.conf());
  }

  private Optional<DaemonStart> read(String text) {
    try {
      return Optional.of(json.readValue(text, DaemonStart.class))
          .filter(start -> start.user() != null);
    } catch (JsonProcessingException ofAnotherRelease) {
      return Optional.empty();
    }
  }

  void saw(JavaProcess process) {
    known = Optional.of(DaemonStart.of(process));
  }

  /** For the journal; empty if nothing is known. Only what {@link #environment()} hands on. */
  String text() throws IOException {
    return known.isEmpty() ? "" : json.writeValueAsString(known.get().only(INHERITED, PLACES));
  }

  /**
   * As whom daemons and commands of the node are to run.
   *
   * @throws StepFailedException if this is root and nothing tells it: root's NodeManager would run
   *     all users' tasks as root, and leave folders that no other can use
   */
  String user() throws IOException {
    Optional<String> user = findUser();
    if (user.isEmpty()) {
      throw new StepFailedException(
          "no NodeManager runs, and nothing tells as which user it did: start it as its user, then"
              + " run this again");
    }
    return user.get();
  }

  private Optional<String> findUser() throws IOException {
    String own = System.getProperty(USER);
    if (known.isPresent() || !own.equals("root")) {
      return Optional.of(known.map(DaemonStart::user).orElse(own));
    }
    return Owners.newestLog(logs())
        .filter(user -> !user.equals("root") || Owners.owner(tree.home()).equals("root"));
  }

  /** What it hands on to its successor. */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("HADOOP_HOME", tree.home().toString());
    environment.put("HADOOP_CONF_DIR", tree.conf().toString());
    known.ifPresent(start -> environment.putAll(start.only(INHERITED, List.of()).environment()));
    return environment;
  }

  /** The folder of its logs. */
  Path logs() {
    return known
        .map(start -> start.properties().get(LOGS))
        .or(() -> Optional.ofNullable(System.getenv("HADOOP_LOG_DIR")))
        .map(Path::of)
        .orElse(tree.home().resolve("logs"));
  }

  @Override
  public String property(String name) {
    if (known.isPresent()) {
      return known.get().property(name);
    }
    try {
      return name.equals(USER)
          ? findUser().orElse(System.getProperty(USER))
          : System.getProperty(name);
    } catch (IOException noLogs) {
      return System.getProperty(name);
    }
  }

  @Override
  public String environment(String name) {
    return known.isPresent() ? known.get().environment(name) : System.getenv(name);
  }
}
