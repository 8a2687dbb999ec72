// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.upgrade.tree.HadoopTree;

/**
 * A node whose NodeManager and engines are processes that have their words, environments and users,
 * and do nothing.
 */
class LocalNodeManagerTest {

  private static final String MAIN = "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final String ENGINE = "org.mammoth.mapreduce.engine.EngineMain";
  private static final String OTHER = "nobody";

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();
  private Path home;
  private HadoopTree tree;

  @BeforeEach
  void makeTree() throws IOException {
    home = new TestTree(folder).hadoop.home();
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("mammoth"));
    // Only says who ran it.
    executable(home.resolve("bin/yarn"), "#!/bin/sh\nid -un >>'" + folder + "/who'\n");
    Files.writeString(folder.resolve("who"), "");
    open(folder.resolve("who"), "rw-rw-rw-");
    open(folder, "rwxr-xr-x");
    tree = HadoopTree.at(home, null);
  }

  @AfterEach
  void endProcesses() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private static void open(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    open(file, "rwxr-xr-x");
  }

  private void localDirs(String value) throws IOException {
    Files.writeString(
        home.resolve("etc/hadoop/yarn-site.xml"),
        "<configuration><property><name>yarn.nodemanager.local-dirs</name><value>"
            + value
            + "</value></property><property><name>yarn.nodemanager.webapp.address</name>"
            + "<value>127.0.0.1:1</value></property></configuration>");
  }

  private LocalNodeManager look() throws IOException {
    return new LocalNodeManager(tree, new LocalOptions("", ""));
  }

  /** It lives until the test ends its input. */
  private long process(String user, Map<String, String> environment, String... words)
      throws Exception {
    List<String> command = new ArrayList<>();
    if (!user.equals(System.getProperty("user.name"))) {
      command.addAll(List.of("setpriv", "--reuid=" + user, "--clear-groups"));
    }
    command.addAll(List.of("sh", "-c", "echo; read line", "sh"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    // What it says first, it says as the one it stays.
    assertThat(process.getInputStream().read()).isEqualTo('\n');
    return process.pid();
  }

  private Map<String, String> ofTree(String name, String value) {
    return Map.of("HADOOP_YARN_HOME", home.toString(), name, value);
  }

  private static void assumeRoot() {
    assumeTrue(
        System.getProperty("user.name").equals("root"), "only root starts others' processes");
  }

  private void assertEngine(LocalNodeManager nodeManager, long pid) throws IOException {
    assertThat(nodeManager.engines())
        .singleElement()
        .extracting(NodeManager.Engine::pid)
        .isEqualTo(pid);
  }

  private List<String> who() throws IOException {
    return Files.readAllLines(folder.resolve("who"));
  }

  private void journal(String howStarted) throws IOException {
    new Journal(Layout.of(tree).journal(), Clock.systemUTC())
        .add(Journal.Event.RESTARTING, "restart", howStarted);
  }

  @Test
  void foldersAreWhereTheDaemonsEnvironmentHasThem() throws Exception {
    localDirs(folder + "/${env.ONLY_ITS}/local");
    process(System.getProperty("user.name"), ofTree("ONLY_ITS", "disk"), "java", MAIN);
    long engine =
        process(
            System.getProperty("user.name"),
            Map.of(),
            "java",
            ENGINE,
            folder + "/disk/local/mammoth/engine-1");
    assertEngine(look(), engine);
  }

  @Test
  void foldersThatNobodyCanNameAreNotTakenForClean() throws Exception {
    localDirs(folder + "/${env.ONLY_ITS}/local");
    LocalNodeManager nodeManager = look();
    assertThatThrownBy(() -> nodeManager.removeLeftovers(new Disk(what -> {})))
        .isInstanceOf(StepFailedException.class)
        .hasMessageContaining("run this again while it runs");
  }

  @Test
  void anEngineOfTheTreeIsFoundWhereverItLies() throws Exception {
    localDirs(folder + "/now");
    long engine =
        process(
            System.getProperty("user.name"),
            ofTree("HADOOP_CONF_DIR", tree.conf().toString()),
            "java",
            ENGINE,
            folder + "/before/mammoth/engine-1");
    process(
        System.getProperty("user.name"),
        Map.of("HADOOP_YARN_HOME", folder + "/another"),
        "java",
        ENGINE,
        folder + "/another/mammoth/engine-1");
    assertEngine(look(), engine);
  }

  @Test
  void rootSeesWhatTheDaemonsUserHas() throws Exception {
    assumeRoot();
    localDirs(folder + "/${user.name}/local");
    process(OTHER, ofTree("HADOOP_LOG_DIR", "/its/logs"), "java", MAIN);
    String at = folder + "/" + OTHER + "/local/mammoth/engine-1";
    long engine = process(OTHER, Map.of(), "java", ENGINE, at);
    LocalNodeManager first = look();
    assertEngine(first, engine);
    journal(first.howStarted());
    started.get(0).destroyForcibly().waitFor();

    // It does not run any more: a run that is repeated goes by what the one before has noted.
    LocalNodeManager second = look();
    assertThat(second.running()).isEmpty();
    assertEngine(second, engine);
    assertThat(second.howStarted()).contains("/its/logs").isEqualTo(first.howStarted());
    assertThatThrownBy(second::restart).hasMessageStartingWith("the NodeManager does not run");
    assertThat(who()).containsExactly(OTHER, OTHER);
  }

  @Test
  void rootStartsItAsTheUserWhoseLogsThereAre() throws Exception {
    assumeRoot();
    localDirs(folder + "/local");
    journal("");
    Path log = Files.createDirectories(home.resolve("logs")).resolve("hadoop-a-nodemanager-h.log");
    Files.writeString(log, "");
    Files.setOwner(
        log, log.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER));
    LocalNodeManager nodeManager = look();
    assertThatThrownBy(nodeManager::restart).hasMessageStartingWith("the NodeManager does not run");
    assertThat(who()).containsExactly(OTHER, OTHER);
  }

  @Test
  void rootStartsNoneThatMayHaveBeenAnothers() throws Exception {
    assumeRoot();
    localDirs(folder + "/local");
    journal("");
    LocalNodeManager nodeManager = look();
    assertThatThrownBy(nodeManager::restart)
        .isInstanceOf(StepFailedException.class)
        .hasMessageContaining("nothing tells as which user");
    assertThat(who()).isEmpty();
  }
}
