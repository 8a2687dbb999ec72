// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  private Path java;
  private HttpServer pages;

  @BeforeEach
  void makeTree() throws IOException {
    home = new TestTree(folder).hadoop.home();
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("mammoth"));
    // Only says who ran it.
    executable(
        home.resolve("bin/yarn"),
        "#!/bin/sh\nid -un >>'"
            + folder
            + "/who'\nshift 2\necho \"$*\" >>'"
            + folder
            + "/calls'\n");
    for (String file : List.of("who", "calls")) {
      Files.writeString(folder.resolve(file), "");
      open(folder.resolve(file), "rw-rw-rw-");
    }
    // Its program is what it is named by.
    java = folder.resolve("java");
    Files.copy(Path.of("/bin/sh").toRealPath(), java);
    open(java, "rwxr-xr-x");
    open(folder, "rwxr-xr-x");
    tree = HadoopTree.at(home, null);
  }

  @AfterEach
  void endProcesses() throws Exception {
    if (pages != null) {
      pages.stop(0);
    }
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
    command.addAll(List.of(java.toString(), "-c", "echo; read line", "sh"));
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
    logOfOther();
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

  /** As the NodeManager of another user would have left it. */
  private void logOfOther() throws IOException {
    Path log = Files.createDirectories(home.resolve("logs")).resolve("hadoop-a-nodemanager-h.log");
    Files.writeString(log, "");
    Files.setOwner(
        log, log.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER));
  }

  @Test
  void rootStartsItAsTheUserWhoseLogsThereAre() throws Exception {
    assumeRoot();
    localDirs(folder + "/local");
    journal("");
    logOfOther();
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

  @Test
  void rootRunsNoProgramThatTheNodeManagersEnvironmentNames() throws Exception {
    assumeRoot();
    logOfOther();
    localDirs(folder + "/local");
    Path evil = Files.createDirectories(folder.resolve("evil"));
    Path ran = folder.resolve("ran");
    for (String program : List.of("runuser", "flock", "setsid", "grep", "sleep")) {
      executable(evil.resolve(program), "#!/bin/sh\n[ $(id -u) != 0 ] || : >>'" + ran + "'\n");
    }
    process(OTHER, ofTree("PATH", evil + ":" + System.getenv("PATH")), "java", MAIN);
    LocalNodeManager nodeManager = look();
    assertThatThrownBy(nodeManager::restart).hasMessageStartingWith("the NodeManager does not run");
    assertThat(ran).doesNotExist();
  }

  @Test
  void ofTwoNodeManagersNoneIsTaken() throws Exception {
    localDirs(folder + "/local");
    String user = System.getProperty("user.name");
    long first = process(user, ofTree("A", "1"), "java", MAIN);
    long second = process(user, ofTree("A", "2"), "java", MAIN);
    assertThatThrownBy(this::look)
        .isInstanceOf(StepFailedException.class)
        .hasMessageContaining("process " + first + " of " + user)
        .hasMessageContaining("process " + second + " of " + user);
  }

  @Test
  void rootTakesNoNodeManagerOfAStrangers() throws Exception {
    assumeRoot();
    localDirs("/nowhere/local");
    process(OTHER, ofTree("A", "1"), "java", MAIN);
    assertThatThrownBy(this::look)
        .isInstanceOf(StepFailedException.class)
        .hasMessageContaining("of " + OTHER + " says that it is the NodeManager");
    assertThat(LocalNodeManager.confOf(home)).isEmpty();
  }

  @Test
  void rootReadsNoConfigurationOfAStrangers() throws Exception {
    assumeRoot();
    Path conf = Files.createDirectories(folder.resolve("conf"));
    process(OTHER, ofTree("HADOOP_CONF_DIR", conf.toString()), "java", MAIN);
    assertThat(LocalNodeManager.confOf(home)).contains(conf);
    Files.setOwner(
        conf, conf.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER));
    assertThatThrownBy(() -> LocalNodeManager.confOf(home)).hasMessageContaining("--conf-dir");
  }

  @Test
  void aProgramOfRootsThatAnybodyMayStartIsNoNodeManager() throws Exception {
    assumeRoot();
    localDirs(folder + "/local");
    java = Path.of("/bin/sh");
    process("root", ofTree("A", "1"), "java", MAIN);
    assertThat(look().running()).isEmpty();
  }

  @Test
  void whatAJournalOfAnothersSaysIsNotDoneAsRoot() throws Exception {
    assumeRoot();
    localDirs("/nowhere/local");
    journal("{\"user\":\"" + OTHER + "\"}");
    Path file = Layout.of(tree).journal();
    Files.setOwner(
        file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("daemon"));
    LocalNodeManager nodeManager = look();
    assertThatThrownBy(nodeManager::restart).hasMessageContaining("nothing tells as which user");
    assertThat(who()).isEmpty();
  }

  /** A NodeManager and a ResourceManager with two nodes, as their pages show them. */
  private void pages() throws IOException {
    String node =
        "{\"id\":\"%s:1\",\"usedMemoryMB\":1024,\"availMemoryMB\":7168,"
            + "\"usedVirtualCores\":1,\"availableVirtualCores\":7}";
    Map<String, String> answers =
        Map.of(
            "/ws/v1/node/info",
            "{\"nodeInfo\":{\"id\":\"here:1\",\"nodeHealthy\":true}}",
            "/ws/v1/cluster/nodes",
            "{\"nodes\":{\"node\":["
                + node.formatted("here")
                + ","
                + node.formatted("there")
                + "]}}");
    pages = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answers.forEach(
        (path, text) ->
            pages.createContext(
                path,
                exchange -> {
                  byte[] body = text.getBytes(StandardCharsets.UTF_8);
                  exchange.sendResponseHeaders(200, body.length);
                  exchange.getResponseBody().write(body);
                  exchange.close();
                }));
    pages.start();
    String address = "127.0.0.1:" + pages.getAddress().getPort();
    Files.writeString(
        home.resolve("etc/hadoop/yarn-site.xml"),
        "<configuration><property><name>yarn.nodemanager.webapp.address</name><value>"
            + address
            + "</value></property><property><name>yarn.resourcemanager.webapp.address</name><value>"
            + address
            + "</value></property></configuration>");
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  @Test
  void aNodeWhoseNodeManagerWasNotRestartedHasItsSizeAgain() throws Exception {
    pages();
    process(System.getProperty("user.name"), ofTree("A", "1"), "java", MAIN);
    LocalNodeManager nodeManager =
        new LocalNodeManager(tree, new LocalOptions("exit 7 # misspelt", ""));
    assertThatThrownBy(nodeManager::restart).hasMessageContaining("was not restarted");
    assertThat(calls())
        .containsExactly(
            "rmadmin -updateNodeResource here:1 1 1", "rmadmin -updateNodeResource here:1 8192 8");
  }

  @Test
  void whatHadoopsStopDoesNotFindIsEndedBeforeAnotherOneStarts() throws Exception {
    pages();
    process(System.getProperty("user.name"), ofTree("A", "1"), "java", MAIN);
    LocalNodeManager nodeManager = look();
    assertThatThrownBy(nodeManager::restart).hasMessageStartingWith("the NodeManager does not run");
    assertThat(started.get(0).waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(calls())
        .containsExactly(
            "rmadmin -updateNodeResource here:1 1 1",
            "--daemon stop nodemanager",
            "--daemon start nodemanager");
  }

  @Test
  void whatEnginesLeftIsRemovedAsItsOwner() throws Exception {
    assumeRoot();
    localDirs(folder + "/local");
    Path local = Files.createDirectories(folder.resolve("local/mammoth/engine-1"));
    Path kept = Files.createDirectories(folder.resolve("kept"));
    Files.createSymbolicLink(local.resolve("link"), kept);
    var users = local.getFileSystem().getUserPrincipalLookupService();
    for (Path each : List.of(local, local.getParent(), local.getParent().getParent())) {
      Files.setOwner(each, users.lookupPrincipalByName(OTHER));
    }
    // What that user could not remove is not removed for him.
    Path roots = Files.createDirectories(local.resolve("of-root"));
    Files.writeString(roots.resolve("file"), "");
    LocalNodeManager nodeManager = look();
    Disk disk = new Disk(what -> {});
    assertThatThrownBy(() -> nodeManager.removeLeftovers(disk))
        .hasMessageContaining("cannot be removed");
    Files.delete(roots.resolve("file"));
    nodeManager.removeLeftovers(disk);
    assertThat(local.getParent()).doesNotExist();
    assertThat(kept).exists();
  }
}
