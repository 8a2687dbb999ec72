// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.Shell;
import org.apache.hadoop.util.Shell.ShellCommandExecutor;
import org.mammoth.mapreduce.lifecycle.LeftSession;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A real engine process. One thread starts and connects it; any may look at it or end it. */
public final class ProcessSite implements EngineSite {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessSite.class);

  /** After which a call without an answer fails, ms. */
  public static final int CALL_TIMEOUT_MS = 20_000;

  private static final int SIGNAL_KILL = 9;

  /** Starts the process in its home. */
  private interface Starter {
    Process start(EngineHome home) throws IOException;
  }

  private final Configuration conf;
  private final String engineId;
  private final String user;
  private final List<Path> homes;
  private final EngineHome.Size size;
  private final Starter starter;
  private final EngineLauncher launcher;
  private volatile EngineHome home;
  private volatile ProcessHandle process;
  private volatile boolean destroyed;

  /** One that is to be started. */
  ProcessSite(
      Configuration conf,
      List<Path> homes,
      String engineId,
      String user,
      String role,
      EngineSizing sizing,
      EngineLauncher launcher) {
    this.conf = conf;
    this.homes = homes;
    this.engineId = engineId;
    this.user = user;
    this.size = sizing.toSize();
    this.starter = made -> launcher.start(made, user, role, sizing);
    this.launcher = launcher;
  }

  /** One that runs. */
  ProcessSite(Configuration conf, EngineHome home, ProcessHandle process) throws IOException {
    this.conf = conf;
    this.homes = List.of();
    this.engineId = home.engineId();
    this.user = home.user();
    this.size = null;
    this.starter = null;
    this.launcher = null;
    this.home = home;
    this.process = process;
  }

  @Override
  public void start() throws IOException {
    IOException last = new IOException("no local directory is configured");
    for (Path disk : homes) {
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
    Files.createDirectories(disk);
    Files.setPosixFilePermissions(disk, PosixFilePermissions.fromString("rwx------"));
    EngineHome made = EngineHome.create(disk, engineId, user);
    home = made;
    made.keep(size);
    Optional<String> boot = LeftSession.ofMachine().boot();
    if (boot.isPresent()) {
      made.keepBoot(boot.get());
    }
    process = starter.start(made).toHandle();
    if (destroyed) {
      process.destroyForcibly();
    }
  }

  @Override
  public long pid() {
    ProcessHandle running = process;
    return running == null ? 0 : running.pid();
  }

  @Override
  public boolean isAlive() {
    ProcessHandle running = process;
    return running != null && running.isAlive();
  }

  @Override
  public void destroy() {
    destroyed = true;
    ProcessHandle running = process;
    if (running != null) {
      running.destroyForcibly();
    }
  }

  @Override
  public Optional<EngineProtocol> connect() throws IOException, InterruptedException {
    Optional<EngineHome.Address> address = home.address();
    if (address.isEmpty()) {
      return Optional.empty();
    }
    EngineProtocol engine = EngineConnection.open(conf, home, address.get(), CALL_TIMEOUT_MS);
    if (launcher != null) {
      launcher.started();
    }
    return Optional.of(engine);
  }

  @Override
  public void disconnect(EngineProtocol engine) {
    RPC.stopProxy(engine);
  }

  @Override
  public void endedWhileStarting() {
    if (!destroyed) {
      launcher.endedWhileStarting(engineId);
    }
  }

  @Override
  public void awaitExit(long ms) throws InterruptedException {
    try {
      process.onExit().get(ms, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // still alive, which is the usual case
      return;
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot watch process " + process.pid(), e);
    }
  }

  @Override
  public Map.Entry<String, String> output(int bytes) throws IOException {
    return EngineLauncher.output(engineId, bytes);
  }

  /** What tasks have started outlives an engine that died; it is in its process group. */
  private void endChildren() {
    ProcessHandle ended = process;
    if (ended != null && !ended.isAlive()) {
      endChildren(engineId, ended.pid());
    }
  }

  /**
   * The same for an engine that ended while no NodeManager was there. Its number may be that of
   * another session by now, so that one is left alone in which no process is a container's.
   */
  static void endChildrenOfEarlier(EngineHome home, long pid) throws IOException {
    LeftSession sessions = LeftSession.ofMachine();
    Optional<String> boot = home.boot();
    if (boot.isPresent() && boot.equals(sessions.boot()) && sessions.isLeftOfContainers(pid)) {
      endChildren(home.engineId(), pid);
    }
  }

  private static void endChildren(String engineId, long pid) {
    if (!Shell.isSetsidAvailable) {
      return;
    }
    String[] kill = Shell.getSignalKillCommand(SIGNAL_KILL, String.valueOf(pid));
    try {
      new ShellCommandExecutor(kill).execute();
      LOG.info("Engine {} has left processes of tasks, which are ended", engineId);
    } catch (IOException e) {
      LOG.debug("Engine {} has left no process", engineId, e);
    }
  }

  @Override
  public void clear() {
    endChildren();
    EngineHome left = home;
    if (left != null) {
      try {
        left.delete();
      } catch (IOException e) {
        LOG.warn("Could not remove {}", left.folder(), e);
      }
      EngineLauncher.removeOldOutputs(conf, left);
    }
  }
}
