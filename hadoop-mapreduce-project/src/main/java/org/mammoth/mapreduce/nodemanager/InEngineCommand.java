// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Shell.CommandExecutor;
import org.apache.hadoop.util.Shell.ExitCodeException;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one container's program in an engine where upstream would run its launch script: makes what
 * the script would have made, hands over, and blocks until the end. If no engine takes it, the
 * ordinary command runs instead.
 */
final class InEngineCommand implements CommandExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(InEngineCommand.class);

  private final ContainerTaker taker;
  private final String task;
  private final ContainerLaunchSpec spec;
  private final Map<Path, List<String>> links;
  private final Path pidFile;
  private final SyntheticPid pids;
  private final Consumer<String> fellBack;
  private final Consumer<String> needsProcess;
  private final CommandExecutor ordinary;

  /** What the launch script and its process make themselves, and stop at if it exists. */
  private final List<java.nio.file.Path> made = new ArrayList<>();

  private ContainerExit exit;

  InEngineCommand(
      ContainerTaker taker,
      String task,
      ContainerLaunchSpec spec,
      Map<Path, List<String>> links,
      Path pidFile,
      SyntheticPid pids,
      Consumer<String> fellBack,
      Consumer<String> needsProcess,
      CommandExecutor ordinary) {
    this.taker = taker;
    this.task = task;
    this.spec = spec;
    this.links = links;
    this.pidFile = pidFile;
    this.pids = pids;
    this.fellBack = fellBack;
    this.needsProcess = needsProcess;
    this.ordinary = ordinary;
  }

  @Override
  public void execute() throws IOException {
    Optional<CompletableFuture<ContainerExit>> end = handOver();
    if (end.isEmpty()) {
      fallBack();
      return;
    }
    exit = awaitUninterruptibly(end.get());
    if (exit.kind().tellsNeed()) {
      learn(exit.need());
    }
    if (exit.exitCode() != 0) {
      throw new ExitCodeException(exit.exitCode(), exit.diagnostics());
    }
  }

  /** Before the ApplicationMaster hears of it and asks for the next container. */
  private void learn(String reason) {
    try {
      needsProcess.accept(reason);
    } catch (RuntimeException | Error e) {
      LOG.warn("That {} needs a process is not remembered", spec.containerId(), e);
    }
  }

  /** The end, in the future; empty if no engine has it, whatever the reason is. */
  private Optional<CompletableFuture<ContainerExit>> handOver() {
    try {
      makeLinks();
      made.add(java.nio.file.Path.of(pidFile.toUri().getPath()));
      pids.write(pidFile);
    } catch (IOException | RuntimeException | Error e) {
      // Unchecked is a name that the JVM's locale cannot write, for one.
      LOG.warn("{} cannot be made ready for an engine", spec.containerId(), e);
      fellBack.accept("its folder could not be made ready: " + e);
      return Optional.empty();
    }
    try {
      return Optional.of(taker.submit(task, spec));
    } catch (EngineUnavailableException e) {
      if (!e.isAskedFor()) {
        fellBack.accept(e.getMessage());
      }
      return Optional.empty();
    }
  }

  /**
   * Runs the ordinary command, which asks itself whether the container is still wanted: whoever has
   * killed it from then on waits for its real process id, as our own is gone.
   */
  private void fallBack() throws IOException {
    try {
      for (java.nio.file.Path one : made) {
        Files.deleteIfExists(one);
      }
    } catch (IOException e) {
      // Not as it is: upstream would ask a command that has not begun for its exit status, 0.
      throw new UncheckedIOException("cannot clear up for " + spec.containerId(), e);
    }
    ordinary.execute();
  }

  /**
   * Waits for the end, whatever happens to this NodeManager: an answer given because it is stopping
   * would be stored as the container's exit, and its successor would not ask the engine any more.
   */
  private static ContainerExit awaitUninterruptibly(CompletableFuture<ContainerExit> end) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return EngineSupervisor.await(end);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public int getExitCode() throws IOException {
    return exit == null ? ordinary.getExitCode() : exit.exitCode();
  }

  @Override
  public String getOutput() throws IOException {
    return exit == null ? ordinary.getOutput() : "";
  }

  @Override
  public void close() {
    ordinary.close();
  }

  /** The links that the launch script makes in the container's folder. */
  private void makeLinks() throws IOException {
    java.nio.file.Path folder = java.nio.file.Path.of(spec.workDir());
    for (Map.Entry<Path, List<String>> entry : links.entrySet()) {
      java.nio.file.Path target = java.nio.file.Path.of(entry.getKey().toUri().getPath());
      for (String name : entry.getValue()) {
        java.nio.file.Path link = folder.resolve(name);
        Files.createDirectories(link.getParent());
        made.add(link);
        try {
          Files.createSymbolicLink(link, target);
        } catch (FileAlreadyExistsException e) {
          LOG.debug("{} is there already", link);
        }
      }
    }
  }
}
