// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.UserContainerChild;
import org.apache.hadoop.util.Shell.CommandExecutor;
import org.apache.hadoop.util.Shell.ExitCodeException;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerDiagnosticsUpdateEvent;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerLivenessContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.mapreduce.nodemanager.processes.ControlGroups;
import org.mammoth.mapreduce.nodemanager.processes.SetuidProcesses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link MammothContainerExecutor} for nodes on which each container runs as its user: engines are
 * launched, signalled and cleared away through upstream's setuid {@code container-executor}, and do
 * as their users what the NodeManager may not. Every other container, and every task that needs a
 * process of its own, is launched by upstream's {@link LinuxContainerExecutor} as ever; files are
 * localized by it, too.
 */
public class MammothLinuxContainerExecutor extends LinuxContainerExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(MammothLinuxContainerExecutor.class);

  /** Upstream's runtime of plain processes. */
  private static final String PROCESSES = "default";

  private GuardedEngines engines;

  @Override
  public void init(Context nodeManager) throws IOException {
    super.init(nodeManager);
    engines =
        GuardedEngines.start(
            getConf(),
            () ->
                NodeEngines.start(
                    getConf(),
                    new SetuidProcesses(
                        getConf(),
                        nodeManager.getLocalDirsHandler(),
                        new ControlGroups(getResourceHandler())),
                    reasonAgainstEngines()));
  }

  /** What this node does to containers that would have to be done to engines, too. */
  private String reasonAgainstEngines() {
    String groups = ControlGroups.unfit(getResourceHandler(), getConf());
    if (!groups.isEmpty()) {
      return groups;
    }
    String runtime = getConf().get(YarnConfiguration.LINUX_CONTAINER_RUNTIME_TYPE, PROCESSES);
    return runtime.equalsIgnoreCase(PROCESSES)
        ? ""
        : "its containers run in "
            + runtime
            + " ("
            + YarnConfiguration.LINUX_CONTAINER_RUNTIME_TYPE
            + ")";
  }

  @Override
  public void stop() {
    if (engines != null) {
      engines.stop();
    }
    super.stop();
  }

  @Override
  public void writeLaunchEnv(
      OutputStream out,
      Map<String, String> environment,
      Map<Path, List<String>> resources,
      List<String> command,
      Path logDir,
      String user,
      LinkedHashSet<String> nodeManagerVariables)
      throws IOException {
    LaunchScript script =
        engines.script(
            new LaunchScript(environment, command),
            resources,
            // No class archive: whether the job asks to be as on stock is not known yet.
            (own, links) ->
                OrdinaryCommand.adapt(
                    own.command(),
                    own.environment(),
                    links,
                    Optional.empty(),
                    UserContainerChild.class));
    super.writeLaunchEnv(
        out, script.environment(), resources, script.command(), logDir, user, nodeManagerVariables);
  }

  @Override
  public int launchContainer(ContainerStartContext context)
      throws IOException, ConfigurationException {
    Container container = context.getContainer();
    Path pidFile = getPidFilePath(container.getContainerId());
    if (pidFile == null) {
      return super.launchContainer(context);
    }
    Ordinary ordinary = new Ordinary(context);
    CommandExecutor command = engines.plan(context).command(pidFile, ordinary);
    try {
      command.execute();
    } catch (ExitCodeException e) {
      tell(container, e);
    }
    if (ordinary.unconfigured != null) {
      throw ordinary.unconfigured;
    }
    return command.getExitCode();
  }

  /** What upstream tells of a container that did not end with 0. */
  private void tell(Container container, ExitCodeException end) {
    int code = end.getExitCode();
    boolean killed =
        code == ContainerExecutor.ExitCode.FORCE_KILLED.getExitCode()
            || code == ContainerExecutor.ExitCode.TERMINATED.getExitCode();
    ContainerId id = container.getContainerId();
    LOG.warn("{} ended in its engine with {}: {}", id, code, end.getMessage());
    container.handle(
        new ContainerDiagnosticsUpdateEvent(
            id,
            killed
                ? "Container killed on request. Exit code is " + code
                : "The container ended in its engine.\nContainer id: "
                    + id
                    + "\nExit code: "
                    + code
                    + "\n"
                    + end.getMessage()
                    + "\n"));
  }

  @Override
  public boolean signalContainer(ContainerSignalContext context) throws IOException {
    if (!SyntheticPid.isSynthetic(context.getPid())) {
      return super.signalContainer(context);
    }
    return engines.signal(context);
  }

  @Override
  public boolean isContainerAlive(ContainerLivenessContext context) throws IOException {
    if (!SyntheticPid.isSynthetic(context.getPid())) {
      return super.isContainerAlive(context);
    }
    return engines.holds(context);
  }

  @Override
  public int reacquireContainer(ContainerReacquisitionContext context)
      throws IOException, InterruptedException {
    Path pidFile = getPidFilePath(context.getContainerId());
    if (pidFile == null || !SyntheticPid.isSynthetic(SyntheticPid.read(pidFile))) {
      return super.reacquireContainer(context);
    }
    return engines.reacquire(context);
  }

  /** The launch as on stock, in the place of a command. */
  private final class Ordinary implements CommandExecutor {

    private final ContainerStartContext context;
    private ConfigurationException unconfigured;
    private int code;

    Ordinary(ContainerStartContext context) {
      this.context = context;
    }

    @Override
    public void execute() throws IOException {
      try {
        code = MammothLinuxContainerExecutor.super.launchContainer(context);
      } catch (ConfigurationException e) {
        unconfigured = e;
      }
    }

    @Override
    public int getExitCode() {
      return code;
    }

    @Override
    public String getOutput() {
      return "";
    }

    @Override
    public void close() {
      // Upstream's launch has left nothing open.
    }
  }
}
