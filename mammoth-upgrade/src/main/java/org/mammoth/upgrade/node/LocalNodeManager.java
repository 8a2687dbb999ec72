// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mammoth.api.Beans;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaHome;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.SiteConfig;

/** The NodeManager of this machine: {@code /proc}, its web page, and Hadoop's own commands. */
public final class LocalNodeManager implements NodeManager {

  private static final String MAIN = "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final String ENGINE_MAIN = "org.mammoth.mapreduce.engine.EngineMain";
  private static final String CLI = "org.mammoth.mapreduce.cli.MammothCli";

  private static final long RESTART_S = 300;
  private static final long ORDER_S = 60;
  private static final long PROBE_S = 600;
  private static final long TERM_S = 10;
  private static final long KILL_S = 5;
  private static final long LOOK_MS = 500;

  /** In which ApplicationMasters learn of containers and launch them. */
  private static final int LAUNCH_S = 3;

  /** More than upstream's five seconds, after which the stop command kills. */
  private static final String STOP_TIMEOUT_S = "60";

  private final HadoopTree tree;
  private final Layout layout;
  private final LocalOptions options;
  private final SiteConfig conf;
  private final WebPages pages;
  private final LastStart start;

  /** The one of a tree. */
  public LocalNodeManager(HadoopTree tree, LocalOptions options) throws IOException {
    this.tree = tree;
    this.layout = Layout.of(tree);
    this.options = options;
    this.start = new LastStart(tree.home(), new Journal(layout.journal(), Clock.systemUTC()));
    this.conf = tree.nodeManagerConfig(start);
    this.pages = new WebPages(conf);
    process();
  }

  /** What it reads, or has read: of its user, in its environment. */
  public SiteConfig config() {
    return conf;
  }

  /** Its process, if it runs. */
  public Optional<JavaProcess> process() throws IOException {
    Optional<JavaProcess> found =
        JavaProcess.withWord(MAIN).stream().filter(this::isOfTree).findFirst();
    found.ifPresent(start::saw);
    return found;
  }

  /** The configuration of a NodeManager that runs from an installation; empty if none does. */
  public static Optional<Path> confOf(Path home) throws IOException {
    return JavaProcess.withWord(MAIN).stream()
        .filter(process -> isSame(home(process), home))
        .map(process -> process.environment().get("HADOOP_CONF_DIR"))
        .filter(conf -> conf != null)
        .map(Path::of)
        .findFirst();
  }

  private boolean isOfTree(JavaProcess process) {
    String settings = process.environment().getOrDefault("HADOOP_CONF_DIR", "");
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

  @Override
  public Optional<Path> enginesJava() throws IOException {
    if (JavaHome.chosenIn(conf).isPresent()) {
      return Optional.empty();
    }
    Optional<Path> own = process().flatMap(JavaProcess::javaHome);
    if (own.isEmpty()) {
      // While none runs, what was found when one ran.
      Path overlay = layout.current().resolve("conf/yarn-site.xml");
      return JavaHome.chosenIn(SiteConfig.read(List.of(overlay), start)).map(JavaHome::folder);
    }
    return JavaHome.ofEngines(own, conf).map(JavaHome::folder);
  }

  @Override
  public void settle() throws IOException, InterruptedException {
    Path lock = layout.restartLock();
    if (Files.exists(lock)) {
      List<String> words = List.of("flock", "--close", lock.toString(), "true");
      if (Command.run(words, Map.of(), null, RESTART_S).status() != 0) {
        throw new StepFailedException(
            "a restart of the NodeManager that an earlier run began does not end; see "
                + layout.restartLog());
      }
    }
  }

  @Override
  public Optional<Running> running() throws IOException {
    return process()
        .map(
            process ->
                new Running(
                    process.pid(),
                    layout.idOnClassPath(process.environment().getOrDefault("CLASSPATH", ""))));
  }

  @Override
  public List<Engine> engines() throws IOException {
    List<Path> dirs = HadoopTree.localDirs(conf);
    List<Engine> engines = new ArrayList<>();
    for (JavaProcess process : JavaProcess.withWord(ENGINE_MAIN)) {
      int at = process.words().indexOf(ENGINE_MAIN) + 1;
      if (at < process.words().size()) {
        Path home = Path.of(process.words().get(at));
        // By its folder; by the environment it has from its NodeManager, too, as the list of
        // folders may have changed since.
        if (dirs.stream().anyMatch(home::startsWith) || isOfTree(process)) {
          engines.add(
              new Engine(process.pid(), home.getFileName().toString(), process.residentMb()));
        }
      }
    }
    return engines;
  }

  @Override
  public void switchOff() throws IOException {
    order("off");
  }

  @Override
  public void switchOn() throws IOException {
    order("on");
  }

  private void order(String turn) throws IOException {
    int port = pages.attribute(Beans.READINGS, Beans.ADMIN_PORT).asInt();
    if (port == 0) {
      throw new IOException("it has no port for orders (mammoth.engine.admin.port)");
    }
    String release =
        running()
            .flatMap(Running::release)
            .orElseThrow(() -> new IOException("no NodeManager with Mammoth runs"));
    Map<String, String> environment = start.environment();
    environment.put("HADOOP_CLASSPATH", layout.version(release).resolve("jars") + "/*");
    List<String> words =
        List.of(
            tree.command("hadoop").toString(),
            "--config",
            tree.conf().toString(),
            CLI,
            "switch",
            "-address",
            pages.orders(port),
            turn);
    try {
      Command.Result result =
          Command.run(Command.as(start.user(), words), environment, null, ORDER_S);
      if (result.status() != 0) {
        throw new IOException("turning engines " + turn + " failed: " + result.output());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public List<Engine> end(List<Engine> engines) throws IOException, InterruptedException {
    signal(engines, false, TERM_S);
    signal(alive(engines), true, KILL_S);
    return alive(engines);
  }

  private void signal(List<Engine> engines, boolean hard, long seconds)
      throws IOException, InterruptedException {
    for (Engine engine : engines) {
      ProcessHandle.of(engine.pid())
          .ifPresent(hard ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!alive(engines).isEmpty() && System.nanoTime() < end) {
      pause();
    }
  }

  private List<Engine> alive(List<Engine> engines) throws IOException {
    List<Engine> now = engines();
    return engines.stream()
        .filter(engine -> now.stream().anyMatch(other -> other.pid() == engine.pid()))
        .toList();
  }

  @Override
  public String howStarted() throws IOException {
    return start.text();
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    Optional<JavaProcess> before = process();
    Map<String, String> environment = start.environment();
    environment.put("HADOOP_STOP_TIMEOUT", STOP_TIMEOUT_S);
    // One process of a session of its own stops and starts: whatever happens to this one, no
    // NodeManager stays stopped.
    List<String> words =
        List.of(
            "setsid",
            "--wait",
            "flock",
            "--close",
            layout.restartLock().toString(),
            "bash",
            "-c",
            restartLine());
    Command.Result result = Command.run(words, environment, layout.restartLog(), RESTART_S);
    Optional<JavaProcess> now = process();
    if (result.status() != 0 || now.isEmpty()) {
      throw new StepFailedException(
          "the NodeManager does not run after its restart: " + result.output());
    }
    if (before.isPresent() && before.get().pid() == now.get().pid()) {
      throw new StepFailedException(
          "the NodeManager (pid " + now.get().pid() + ") was not restarted: " + result.output());
    }
  }

  /**
   * The command line that restarts it. Before, the ResourceManager takes the node for full: a
   * container that it had allocated but that was not launched yet would be refused by a NodeManager
   * that has not registered, which upstream counts as a failed attempt. Registering ends that; it
   * is part of this line, so that no node stays full. Not on the largest node: the ResourceManager
   * would refuse jobs meanwhile that ask for more than any other node has.
   */
  private String restartLine() throws IOException {
    String restart =
        options.restart().isEmpty()
            ? yarn("--daemon", "stop", "nodemanager")
                + "; "
                + yarn("--daemon", "start", "nodemanager")
            : options.restart();
    Optional<String> id = nodeId().filter(this::isAnotherAsLarge);
    return id.isEmpty()
        ? restart
        : yarn("rmadmin", "-updateNodeResource", id.get(), "1", "1")
            + "; sleep "
            + LAUNCH_S
            + "; "
            + restart;
  }

  /** A command line of Hadoop's yarn, as the NodeManager's user. */
  private String yarn(String... arguments) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(tree.command("yarn").toString());
    words.add("--config");
    words.add(tree.conf().toString());
    words.addAll(List.of(arguments));
    return Command.line(Command.as(start.user(), words));
  }

  private boolean isAnotherAsLarge(String id) {
    for (String address : pages.resourceManagers()) {
      try {
        return new ClusterNodes(pages.get(address, ClusterNodes.PAGE)).hasAnotherAsLargeAs(id);
      } catch (IOException standbyOrGone) {
        continue;
      }
    }
    return false;
  }

  /** What the ResourceManager calls this node; empty if the NodeManager does not say. */
  private Optional<String> nodeId() {
    try {
      String id =
          pages.get(pages.nodeManager(), "/ws/v1/node/info").path("nodeInfo").path("id").asText();
      return id.isEmpty() ? Optional.empty() : Optional.of(id);
    } catch (IOException doesNotAnswer) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> complaint(boolean withEngines) throws IOException {
    if (running().isEmpty()) {
      return Optional.of("it does not run");
    }
    try {
      JsonNode info = pages.get(pages.nodeManager(), "/ws/v1/node/info").path("nodeInfo");
      if (!info.path("nodeHealthy").asBoolean()) {
        return Optional.of("it is unhealthy: " + info.path("healthReport").asText("no report"));
      }
      JsonNode enabled = pages.attribute(Beans.ENGINES, "Enabled");
      if (withEngines && enabled.isMissingNode()) {
        return Optional.of(
            "it started without Mammoth: was "
                + layout.profile()
                + " read? HADOOP_LIBEXEC_DIR may name another folder, or the service start another"
                + " way");
      }
      if (withEngines && !enabled.asBoolean()) {
        return Optional.of(
            "Mammoth is off in it; its log has a line 'Mammoth is off' that says why");
      }
      if (!withEngines && !enabled.isMissingNode()) {
        return Optional.of("it still has Mammoth");
      }
      return complaintOfResourceManager(info.path("id").asText());
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  private Optional<String> complaintOfResourceManager(String id) {
    String complaint = "";
    for (String address : pages.resourceManagers()) {
      try {
        String state =
            pages.get(address, "/ws/v1/cluster/nodes/" + id).path("node").path("state").asText();
        if (state.equals("RUNNING")) {
          return Optional.empty();
        }
        complaint = "the ResourceManager " + address + " has it as " + state;
      } catch (FileNotFoundException unknown) {
        complaint = "the ResourceManager " + address + " does not know it as " + id;
      } catch (IOException e) {
        complaint = "the ResourceManager " + e.getMessage();
      }
    }
    return Optional.of(complaint);
  }

  /** Engines, tasks and fall-backs as the NodeManager knows them; missing for stock. */
  public JsonNode engineStatus() throws IOException {
    return pages.attribute(Beans.ENGINES, Beans.STATUS);
  }

  @Override
  public void removeLeftovers(Disk disk) throws IOException {
    if (!engines().isEmpty()) {
      throw new StepFailedException("engines still run: " + Engines.names(engines()));
    }
    List<Path> dirs = HadoopTree.localDirs(conf);
    Optional<Path> unknown = dirs.stream().filter(dir -> dir.toString().contains("${")).findFirst();
    if (unknown.isPresent()) {
      throw new StepFailedException(
          "which folder "
              + unknown.get().getFileName()
              + " of yarn.nodemanager.local-dirs is, only the NodeManager's environment tells: run"
              + " this again while it runs");
    }
    for (Path dir : dirs) {
      disk.removeAll(dir.resolve("mammoth"));
    }
    Path logs = start.logs();
    if (!Files.isDirectory(logs)) {
      return;
    }
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.filter(LocalNodeManager::isEngineLog).toList()) {
        disk.remove(file);
      }
    }
  }

  private static boolean isEngineLog(Path file) {
    return file.getFileName().toString().matches("mammoth-(engine|appmaster\\d*)-.*\\.out");
  }

  @Override
  public Optional<String> probe() throws IOException, InterruptedException {
    List<String> words;
    if (!options.probe().isEmpty()) {
      words = List.of("bash", "-c", options.probe());
    } else {
      Optional<Path> examples = tree.examples();
      if (examples.isEmpty()) {
        return Optional.of("no jar of example programs; give --probe a command of your own");
      }
      words =
          List.of(
              tree.command("yarn").toString(),
              "--config",
              tree.conf().toString(),
              "jar",
              examples.get().toString(),
              "pi",
              "2",
              "10");
    }
    Command.Result result =
        Command.run(Command.as(start.user(), words), start.environment(), null, PROBE_S);
    return result.status() == 0 ? Optional.empty() : Optional.of(result.output());
  }

  @Override
  public void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(LOOK_MS);
  }
}
