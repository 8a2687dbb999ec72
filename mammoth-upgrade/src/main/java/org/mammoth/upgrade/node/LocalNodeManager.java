// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

  private static final String ENGINE_MAIN = "org.mammoth.mapreduce.engine.EngineMain";
  private static final String CLI = "org.mammoth.mapreduce.cli.MammothCli";

  private static final long RESTART_S = 300;
  private static final long ORDER_S = 60;
  private static final long PROBE_S = 600;
  private static final long TERM_S = 10;
  private static final long KILL_S = 5;
  private static final long LOOK_MS = 500;
  private static final int OBSTACLE_LOOKS = 3;

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
    this.start = new LastStart(tree, layout.journal());
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
    Optional<JavaProcess> found = NodeManagers.find(tree);
    found.ifPresent(start::saw);
    return found;
  }

  /**
   * The configuration of a NodeManager that runs from an installation; empty if none does.
   *
   * @throws StepFailedException if several do, or it is not the administrator's
   */
  public static Optional<Path> confOf(Path home) throws IOException {
    return NodeManagers.confOf(home);
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
      if (Command.run(words, null, RESTART_S).status() != 0) {
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
        if (dirs.stream().anyMatch(home::startsWith) || NodeManagers.isOf(process, tree)) {
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
          Command.run(Command.as(start.user(), environment, words), null, ORDER_S);
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
    String line = new RestartLine(tree, options, pages, start).text(before);
    Disk.openOwn(layout.restartLock(), StandardOpenOption.WRITE).close();
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
            line);
    Command.Result result = Command.run(words, layout.restartLog(), RESTART_S);
    Optional<JavaProcess> now = process();
    if (before.isPresent() && now.isPresent() && before.get().pid() == now.get().pid()) {
      throw new StepFailedException(
          "the NodeManager (pid " + now.get().pid() + ") was not restarted: " + result.output());
    }
    if (now.isEmpty()) {
      throw new StepFailedException(
          "the NodeManager does not run after its restart: " + result.output());
    }
    if (result.status() != 0) {
      throw new StepFailedException(
          "the NodeManager runs (pid "
              + now.get().pid()
              + "), but what restarted it ended with status "
              + result.status()
              + ": "
              + result.output());
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

  @Override
  public boolean isStock() throws IOException {
    Optional<Running> running = running();
    if (running.isEmpty() || running.get().release().isPresent()) {
      return false;
    }
    try {
      return pages.attribute(Beans.ENGINES, "Enabled").isMissingNode();
    } catch (IOException doesNotAnswer) {
      return true;
    }
  }

  /**
   * What would keep a run from seeing that a NodeManager has become well, if the one that runs is
   * stock: it is not well itself, or this command does not reach who knows. Empty for one with
   * ours, and where a run has not come to its end: another run is there to mend that.
   */
  public Optional<String> obstacle() throws IOException, InterruptedException {
    Optional<String> complaint = Optional.empty();
    if (new Journal(layout.journal(), Clock.systemUTC()).unfinished().isPresent()) {
      return complaint;
    }
    for (int i = 0; i < OBSTACLE_LOOKS && isStock(); i++) {
      complaint = complaint(false);
      if (complaint.isEmpty()) {
        return complaint;
      }
      pause();
    }
    return complaint;
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
      removeAsItsOwner(dir.resolve("mammoth"), disk);
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

  /** In a folder of another user's root removes nothing as root: he may exchange what is in it. */
  private static void removeAsItsOwner(Path folder, Disk disk) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    String owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName();
    List<String> words = List.of("rm", "-rf", "--", folder.toString());
    disk.moment("remove " + folder + " and all in it");
    try {
      Command.Result result =
          Command.run(Command.as(owner, Map.of(), words), null, TimeUnit.HOURS.toSeconds(1));
      if (result.status() != 0) {
        throw new StepFailedException(folder + " cannot be removed: " + result.output());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
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
        Command.run(Command.as(start.user(), start.environment(), words), null, PROBE_S);
    return result.status() == 0 ? Optional.empty() : Optional.of(result.output());
  }

  @Override
  public void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(LOOK_MS);
  }
}
