// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.engine.containers.EngineVitals;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.mammoth.mapreduce.engine.containers.TaskSurroundings;
import org.mammoth.mapreduce.engine.memory.PoolFiller;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a new engine run made-up tasks while it has no others, so that the JVM has compiled most of
 * what tasks have in common by the time a user's job comes: an engine's first large job takes about
 * half as much CPU time again as its later ones otherwise. The tasks run as a user's do, in
 * containers that no NodeManager knows of, and end at once when a user's task comes.
 *
 * <p>One thread, which is the engine's own.
 */
public final class Rehearsal {

  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  private static final long LOOK_MS = 20;
  private static final long IDLE_LOOK_MS = 200;
  private static final int SIGNAL_KILL = 9;
  private static final long HEAP_MB = 64;
  private static final long CLEARED_UP_MS = 10_000;

  private final double othersMayTake;
  private final String user;
  private final Path folder;
  private final BooleanSupplier idle;
  private final HostedContainers containers;
  private volatile RehearsalJob job;
  private volatile Thread warden;
  private String[] acknowledged = {};

  /**
   * @param node the engine's configuration
   * @param folder where the made-up jobs' files go; made and removed
   * @param threads of the engine's own
   * @param idle whether no user's task runs
   */
  public Rehearsal(
      Configuration node,
      TaskSurroundings shared,
      String user,
      Path folder,
      ThreadFactory threads,
      BooleanSupplier idle) {
    this.othersMayTake = EngineKeys.REHEARSAL_LOAD.get(node);
    this.user = user;
    this.folder = folder;
    this.idle = idle;
    this.containers =
        new HostedContainers(
            node,
            new EngineVitals("rehearsal", user, Clock.systemUTC()),
            shared,
            new RehearsalProgram.Factory(shared, node, () -> job),
            work -> {
              warden = threads.newThread(work);
              warden.start();
            },
            System::nanoTime);
  }

  /**
   * Rehearses until it has taken so long; what makes it impossible is logged and ends it.
   *
   * @param budgetMs wall time of rehearsing, without that of waiting for an idle engine
   * @param forget frees what belongs to a job
   */
  public void run(long budgetMs, Consumer<String> forget) {
    long left = TimeUnit.MILLISECONDS.toNanos(budgetMs);
    int number = 0;
    int disturbed = 0;
    boolean undisturbed = false;
    LOG.info("While it has no tasks the engine rehearses with jobs job_0_*, {} ms", budgetMs);
    try {
      while (left > 0) {
        if (!undisturbed || !mayRun()) {
          awaitIdle();
        }
        long begin = System.nanoTime();
        undisturbed = rehearse(++number, forget);
        disturbed += undisturbed ? 0 : 1;
        left -= System.nanoTime() - begin;
      }
      LOG.info("Rehearsed {} jobs, {} of which made way for others", number, disturbed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The engine goes on without rehearsing", e);
    }
  }

  private void awaitIdle() throws InterruptedException {
    long since = System.nanoTime();
    while (System.nanoTime() - since < PoolFiller.IDLE_NANOS) {
      TimeUnit.MILLISECONDS.sleep(IDLE_LOOK_MS);
      if (!mayRun()) {
        since = System.nanoTime();
      }
    }
  }

  private boolean mayRun() {
    return idle.getAsBoolean() && othersTake() <= othersMayTake;
  }

  /** The part of the node's processors that others than this JVM take; 0 if it is not known. */
  private static double othersTake() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getCpuLoad() - Math.max(0, system.getProcessCpuLoad());
  }

  /** One job; false if it made way. */
  private boolean rehearse(int number, Consumer<String> forget)
      throws IOException, InterruptedException {
    Path place = folder.resolve(String.valueOf(number));
    try {
      RehearsalJob next = new RehearsalJob(place, number);
      job = next;
      Files.createDirectories(next.localDir());
      for (TaskAttemptID attempt : next.attempts()) {
        if (!ends(attempt, place.resolve(attempt.toString()), next.localDir())) {
          return false;
        }
      }
      return true;
    } finally {
      if (job != null) {
        forget.accept(job.id());
      }
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  /** Runs an attempt to its end; false if it made way before. */
  private boolean ends(TaskAttemptID attempt, Path place, Path localDir)
      throws IOException, InterruptedException {
    String id = attempt.toString();
    String declined =
        containers.launch(
            new ContainerLaunchSpec()
                .withIdentity(id, user, HEAP_MB)
                .withHeap(HEAP_MB)
                .withFolders(
                    Files.createDirectories(place).toString(),
                    place.resolve("logs").toString(),
                    List.of(localDir.toString()))
                .withProgram(List.of(id), List.of(), "INFO")
                .withEnvironment(Map.of())
                .withProperties(Map.of()));
    if (!declined.isEmpty()) {
      throw new IOException(declined);
    }
    boolean wanted = true;
    ContainerExit exit = null;
    while (exit == null) {
      exit = poll(id);
      if (exit == null && wanted && !idle.getAsBoolean()) {
        wanted = false;
        containers.signal(id, SIGNAL_KILL);
      }
    }
    warden.join(CLEARED_UP_MS);
    if (warden.isAlive() || wanted && exit.exitCode() != 0) {
      throw new IOException(id + " ended with " + exit.exitCode() + ": " + exit.diagnostics());
    }
    return wanted;
  }

  /** The end of an attempt, null if it has not come within a moment. */
  private ContainerExit poll(String id) throws InterruptedException {
    EngineReport report = containers.poll(acknowledged, LOOK_MS);
    acknowledged = report.exits().stream().map(ContainerExit::containerId).toArray(String[]::new);
    return report.exits().stream()
        .filter(each -> each.containerId().equals(id))
        .findFirst()
        .orElse(null);
  }
}
