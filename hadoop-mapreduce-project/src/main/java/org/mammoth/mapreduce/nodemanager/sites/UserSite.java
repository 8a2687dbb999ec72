// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ShutdownHookManager;
import org.mammoth.mapreduce.lifecycle.LeftSession;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine process that belongs to its user, whom the NodeManager can only act for through {@link
 * UserProcesses}. The NodeManager has a home of it among its own files, in which it also publishes
 * the engine's address once it has read it from the engine's folder; all else is the user's.
 *
 * <p>One thread starts and connects it; any may look at it or end it. A thread of its own waits in
 * the program that has started it, another one ends it when that is asked for.
 */
final class UserSite implements EngineSite {

  private static final Logger LOG = LoggerFactory.getLogger(UserSite.class);

  private static final int MOST_ADDRESS_BYTES = 100;
  private static final int MOST_OUTPUT_BYTES = 1 << 20;
  private static final long LOOK_MS = 200;
  private static final int KILLS = 50;
  private static final int SIGNAL_KILL = 9;

  private final Configuration conf;
  private final UserProcesses processes;
  private final UserEngineLauncher launcher;
  private final Supplier<String> applications;
  private final List<Path> homes;
  private final String engineId;
  private final String user;
  private final EngineSizing sizing;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile EngineHome home;
  private volatile EnginePlace place;
  private volatile boolean ownChild;
  private volatile boolean begun;
  private volatile long knownPid;

  /** It has been there in this NodeManager's life, so that its number is no earlier boot's. */
  private volatile boolean seen;

  /** What the control groups are for; not known of an earlier NodeManager's engine. */
  private volatile UserProcesses.Size groups;

  @GuardedBy("this")
  private boolean destroyed;

  /**
   * One that is to be started.
   *
   * @param applications gives out ids for what is no application of YARN's
   * @param homes as in {@link ProcessSites}
   */
  UserSite(
      Configuration conf,
      UserProcesses processes,
      UserEngineLauncher launcher,
      Supplier<String> applications,
      List<Path> homes,
      String engineId,
      String user,
      EngineSizing sizing) {
    this.conf = conf;
    this.processes = processes;
    this.launcher = launcher;
    this.applications = applications;
    this.homes = homes;
    this.engineId = engineId;
    this.user = user;
    this.sizing = sizing;
  }

  /** One that an earlier NodeManager has started. */
  UserSite(
      Configuration conf,
      UserProcesses processes,
      EngineHome home,
      EnginePlace place,
      EngineSizing sizing)
      throws IOException {
    this(conf, processes, null, null, List.of(), home.engineId(), home.user(), sizing);
    this.home = home;
    this.place = place;
    this.begun = true;
  }

  /** The process that has its number now is another one. */
  void isGone() {
    ended.complete(null);
    seen = false;
  }

  @Override
  public void start() throws IOException {
    if (Path.of(engineId).getNameCount() != 1) {
      throw new IOException("the user name " + user + " is none of a system user");
    }
    IOException last = new IOException("no local directory can be used");
    for (Path disk : homes) {
      if (!processes.localDirs().contains(disk.getParent())) {
        continue;
      }
      try {
        startIn(disk);
        return;
      } catch (IOException e) {
        LOG.warn("Engine {} cannot live in {}", engineId, disk, e);
        clear();
        last = e;
      }
    }
    throw last;
  }

  private void startIn(Path disk) throws IOException {
    List<Path> logDirs = processes.logDirs();
    if (logDirs.isEmpty()) {
      throw new IOException("no log directory can be used");
    }
    Files.createDirectories(disk);
    Files.setPosixFilePermissions(disk, PosixFilePermissions.fromString("rwx------"));
    String application = applications.get();
    EngineHome made = EngineHome.create(disk, engineId, user);
    home = made;
    made.keep(sizing.toSize());
    Optional<String> boot = LeftSession.ofMachine().boot();
    if (boot.isPresent()) {
      made.keepBoot(boot.get());
    }
    EnginePlace chosen =
        EnginePlace.of(
            disk.getParent(),
            logDirs.get(0),
            user,
            application,
            application.replaceFirst("application", "container") + "_01_000001");
    chosen.keep(made.folder());
    place = chosen;
    UserProcesses.Launch launch = launcher.prepare(made, user, chosen, sizing);
    synchronized (this) {
      if (destroyed) {
        throw new IOException("it is no longer wanted");
      }
      ownChild = true;
      begun = true;
    }
    daemon("engine-process-" + engineId, () -> run(launch));
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(null, work, name, 0, false);
    thread.setDaemon(true);
    thread.start();
  }

  private void run(UserProcesses.Launch launch) {
    try {
      processes.run(launch);
    } catch (IOException e) {
      LOG.info("The process of engine {} of {}: {}", engineId, user, e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("Nobody waits for the process of engine {} any more", engineId, e);
    } finally {
      ended.complete(null);
    }
  }

  @Override
  public long pid() {
    EngineHome made = home;
    if (knownPid > 0 || made == null) {
      return knownPid;
    }
    try {
      knownPid = Long.parseLong(Files.readString(UserEngineLauncher.pidFile(made)).trim());
      return knownPid;
    } catch (IOException | NumberFormatException e) {
      LOG.debug("Engine {} has no process yet", engineId, e);
      return 0;
    }
  }

  @Override
  public boolean isAlive() {
    boolean alive = looksAlive();
    seen |= alive;
    return alive;
  }

  private boolean looksAlive() {
    if (!begun || ended.isDone()) {
      return false;
    }
    if (ownChild) {
      return true;
    }
    if (Files.exists(UserEngineLauncher.exitFile(home))) {
      return false;
    }
    long pid = pid();
    // Where other users' processes are hidden, they have to be asked.
    return pid > 0 && (ProcessHandle.of(pid).isPresent() || answersSignal(pid));
  }

  private boolean answersSignal(long pid) {
    try {
      return processes.signal(user, pid, 0);
    } catch (IOException e) {
      LOG.warn("Whether engine {} of {} still runs is not known", engineId, user, e);
      return true;
    }
  }

  @Override
  public void destroy() {
    synchronized (this) {
      if (destroyed) {
        return;
      }
      destroyed = true;
      if (!begun) {
        return;
      }
    }
    if (ShutdownHookManager.get().isShutdownInProgress()) {
      // Nobody waits for another thread any more.
      kill();
    } else {
      daemon("engine-end-" + engineId, this::kill);
    }
  }

  /** The process may not have a number yet, and the program that knows it may fail. */
  private void kill() {
    for (int tries = 0; tries < KILLS && isAlive(); tries++) {
      long pid = pid();
      try {
        if (pid > 0) {
          processes.signal(user, pid, SIGNAL_KILL);
        }
      } catch (IOException e) {
        LOG.warn("Engine {} of {} is not ended yet", engineId, user, e);
      }
      try {
        awaitExit(LOOK_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    if (isAlive()) {
      LOG.error("Engine {} of {} could not be ended, its process is {}", engineId, user, pid());
    }
  }

  @Override
  public Optional<EngineProtocol> connect() throws IOException, InterruptedException {
    if (home.address().isEmpty()) {
      try {
        String text = PrivateFile.end(place.home(engineId).resolve("address"), MOST_ADDRESS_BYTES);
        home.publish(EngineHome.Address.of(text));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      } catch (IllegalArgumentException e) {
        throw new IOException("what the engine says of itself is no address", e);
      }
    }
    Optional<EngineHome.Address> address = home.address();
    if (address.isEmpty()) {
      return Optional.empty();
    }
    EngineProtocol engine =
        EngineConnection.open(conf, home, address.get(), ProcessSite.CALL_TIMEOUT_MS);
    if (launcher != null) {
      launcher.started();
    }
    return Optional.of(engine);
  }

  @Override
  public void disconnect(EngineProtocol engine) {
    RPC.stopProxy(engine);
  }

  private synchronized boolean isDestroyed() {
    return destroyed;
  }

  @Override
  public void endedWhileStarting() {
    if (!isDestroyed()) {
      launcher.endedWhileStarting(engineId);
    }
  }

  @Override
  public void awaitExit(long ms) throws InterruptedException {
    try {
      ended.get(ms, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // still alive, which is the usual case
      return;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the end of a process is never a failure", e);
    }
  }

  @Override
  public void holds(long mb) {
    EnginePlace own = place;
    if (own == null) {
      return;
    }
    UserProcesses.Size size = sizing.groups(conf, mb);
    if (size.equals(groups)) {
      return;
    }
    // Tried once for each size: what the groups are for is a matter of fairness, not of safety.
    groups = size;
    try {
      processes.resize(container(own), size);
    } catch (IOException e) {
      LOG.warn("Engine {} of {} does not weigh as its tasks do", engineId, user, e);
    }
  }

  @Override
  public Map.Entry<String, String> output(int bytes) throws IOException {
    String name = EngineLauncher.outputFile(engineId).getName();
    EnginePlace known = place;
    try {
      return Map.entry(name, known == null ? "" : end(known, bytes));
    } catch (NoSuchFileException e) {
      return Map.entry(name, "");
    }
  }

  private static String end(EnginePlace known, int bytes) throws IOException {
    Path own = known.logDir();
    return PrivateFile.end(own, own.relativize(known.output()), bytes);
  }

  /**
   * What tasks have started outlives an engine that died; it is in its process group. The number is
   * no other process's while somebody is in that group; what has it now may be another group of the
   * user's only after as many processes as there are numbers, or where the machine began anew.
   */
  private void endChildren() {
    long pid = pid();
    boolean known = ownChild || seen || isLeftByEarlier(pid);
    if (!known || pid <= 0 || ProcessHandle.of(pid).isPresent()) {
      return;
    }
    try {
      if (processes.signal(user, pid, SIGNAL_KILL)) {
        LOG.info("Engine {} of {} has left processes of tasks, which are ended", engineId, user);
      }
    } catch (IOException e) {
      LOG.warn("Engine {} of {} may have left processes of tasks", engineId, user, e);
    }
  }

  /** Whether it ended while no NodeManager was there, and processes of its session have not. */
  private boolean isLeftByEarlier(long pid) {
    LeftSession sessions = LeftSession.ofMachine();
    try {
      Optional<String> boot = home.boot();
      return boot.isPresent() && boot.equals(sessions.boot()) && sessions.isLeft(pid);
    } catch (IOException e) {
      LOG.warn("Engine {} of {} may have left processes of tasks", engineId, user, e);
      return false;
    }
  }

  @Override
  public void clear() {
    EnginePlace left = place;
    if (left != null) {
      kill();
      keepOutput();
      if (!isAlive()) {
        endChildren();
        processes.leaveGroups(container(left));
        processes.delete(
            user, left.allFolders(processes.localDirs()), left.allLogs(processes.logDirs()));
      }
      place = null;
    }
    EngineHome own = home;
    if (own != null) {
      try {
        own.delete();
      } catch (IOException e) {
        LOG.warn("Could not remove {}", own.folder(), e);
      }
      EngineLauncher.removeOldOutputs(conf, own);
    }
  }

  private static String container(EnginePlace place) {
    return place.folder().getFileName().toString();
  }

  /** What it has written is looked for in the NodeManager's own log directory. */
  private void keepOutput() {
    try {
      String text = output(MOST_OUTPUT_BYTES).getValue();
      if (!text.isEmpty()) {
        PrivateFile.copy(text, EngineLauncher.outputFile(engineId).toPath());
      }
    } catch (IOException e) {
      LOG.warn("What engine {} of {} has written is lost: {}", engineId, user, e.toString());
    }
  }
}
