// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerLivenessContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.mapreduce.localized.PlainMoves;
import org.mammoth.mapreduce.localized.SsdDirs;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that a container executor knows of Mammoth. It keeps what Mammoth fails at from YARN: a
 * NodeManager starts, and a container is launched, as on stock then.
 */
final class GuardedEngines {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedEngines.class);

  /** Starts the engines of a node. */
  interface Starter {
    NodeEngines start() throws IOException;
  }

  /** Null on a node that is like stock's because Mammoth could not start. */
  private final NodeEngines engines;

  private final Configuration conf;
  private final List<Path> ssdDirs;

  private GuardedEngines(NodeEngines engines, Configuration conf) {
    this.engines = engines;
    this.conf = conf;
    this.ssdDirs =
        engines == null
            ? List.of()
            : OrStock.of("Finding directories on SSDs", () -> SsdDirs.of(conf), List.of());
  }

  /** Starts them, or leaves the node as stock's. */
  static GuardedEngines start(Configuration conf, Starter starter) {
    NodeEngines started = null;
    try {
      started = starter.start();
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("Mammoth is off: it could not start: {}", e.getMessage(), e);
    }
    return new GuardedEngines(started, conf);
  }

  void stop() {
    if (engines != null) {
      engines.stop();
    }
  }

  /**
   * The launch script of a container.
   *
   * @param stock as upstream would write it
   * @param resources the container's localized files
   * @param adapt changes that of a MapReduce job; told the names of what is linked
   */
  LaunchScript script(
      LaunchScript stock,
      Map<org.apache.hadoop.fs.Path, List<String>> resources,
      BiConsumer<LaunchScript, Collection<String>> adapt) {
    return stock
        .changed(
            "Adapting a launch script",
            script -> {
              if (engines != null && engines.isConcerned(resources)) {
                List<String> links = resources.values().stream().flatMap(List::stream).toList();
                adapt.accept(script, links);
              }
            })
        .changed(
            "Leaving out directories on SSDs",
            script -> SsdDirs.leaveOut(script.environment(), ssdDirs));
  }

  /** Where the files of containers are localized. */
  FileContext localizing(FileContext files) throws IOException {
    return engines == null ? files : PlainMoves.in(files, conf);
  }

  /**
   * Decides, before anything of the container has started, where it runs. Neither this nor the
   * launch's {@link PlannedLaunch#command} throws.
   */
  PlannedLaunch plan(ContainerStartContext context) {
    if (engines == null) {
      return PlannedLaunch.ordinary();
    }
    ContainerId container = context.getContainer().getContainerId();
    Consumer<Throwable> told = failure -> engines.fellBack(container, failure);
    PlannedLaunch planned =
        OrStock.of(
            "Judging " + container, () -> engines.plan(context), PlannedLaunch.ordinary(), told);
    return (pidFile, ordinary) ->
        OrStock.of(
            "Preparing " + container + " for an engine",
            () -> planned.command(pidFile, ordinary),
            ordinary,
            told);
  }

  /** Delivers a signal to a container that was handed to an engine. */
  boolean signal(ContainerSignalContext context) {
    return engines != null
        && engines.signal(
            context.getContainer().getContainerId().toString(), context.getSignal().getValue());
  }

  /** Whether an engine has a container that was handed to one. */
  boolean holds(ContainerLivenessContext context) {
    return engines != null && engines.holds(context.getContainer().getContainerId().toString());
  }

  /** Waits for the end of a container that an earlier NodeManager handed to an engine. */
  int reacquire(ContainerReacquisitionContext context) throws InterruptedException {
    ContainerId container = context.getContainerId();
    Optional<CompletableFuture<ContainerExit>> end =
        engines == null
            ? Optional.empty()
            : engines.reattach(
                container.toString(),
                context.getUser(),
                context.getContainer().getResource().getMemorySize());
    if (end.isEmpty()) {
      LOG.warn("{} ran in an engine that is gone; its task is run again", container);
      return ContainerExitStatus.ABORTED;
    }
    return EngineSupervisor.await(end.get()).exitCode();
  }
}
