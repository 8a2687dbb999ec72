// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Shell.CommandExecutor;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.ContainerLocalizer;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerLivenessContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.mapreduce.nodemanager.classes.ClassArchive;

/**
 * The container executor of a Mammoth node: recognises the launch of a MapReduce task and hands it
 * to the user's engine; every other container, and every task that needs a process of its own, is
 * launched by upstream's {@link DefaultContainerExecutor} as ever.
 *
 * <p>An in-engine container has a process id above anything the kernel gives out, so that neither
 * the clean-up after every container nor the memory monitor can touch the engine's process.
 */
public class MammothContainerExecutor extends DefaultContainerExecutor {

  private final ThreadLocal<PlannedLaunch> planned = new ThreadLocal<>();
  private GuardedEngines engines;

  @Override
  public void init(Context nodeManager) throws IOException {
    super.init(nodeManager);
    engines = GuardedEngines.start(getConf(), () -> NodeEngines.start(getConf()));
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
            (own, links) ->
                OrdinaryCommand.adapt(
                    own.command(), own.environment(), links, ClassArchive.find(getConf())));
    super.writeLaunchEnv(
        out, script.environment(), resources, script.command(), logDir, user, nodeManagerVariables);
  }

  @Override
  protected ContainerLocalizer createContainerLocalizer(
      String user,
      String application,
      String localizer,
      String tokenFile,
      List<String> localDirs,
      FileContext files)
      throws IOException {
    return super.createContainerLocalizer(
        user, application, localizer, tokenFile, localDirs, engines.localizing(files));
  }

  @Override
  public int launchContainer(ContainerStartContext context)
      throws IOException, ConfigurationException {
    planned.set(engines.plan(context));
    try {
      return super.launchContainer(context);
    } finally {
      planned.remove();
    }
  }

  @Override
  protected CommandExecutor buildCommandExecutor(
      String wrapperScript,
      String containerId,
      String user,
      Path pidFile,
      Resource resource,
      File workDir,
      Map<String, String> environment,
      String[] numaCommands) {
    CommandExecutor ordinary =
        super.buildCommandExecutor(
            wrapperScript,
            containerId,
            user,
            pidFile,
            resource,
            workDir,
            environment,
            numaCommands);
    return command(containerId, pidFile, ordinary);
  }

  private CommandExecutor command(String containerId, Path pidFile, CommandExecutor ordinary) {
    PlannedLaunch plan = planned.get();
    if (plan == null) {
      return ordinary;
    }
    ContainerId id = ContainerId.fromString(containerId);
    return plan.command(pidFile, new WantedCommand(ordinary, () -> isContainerActive(id)));
  }

  /** What upstream calls before Hadoop 3.4, which has no commands of NUMA in this place. */
  protected CommandExecutor buildCommandExecutor(
      String wrapperScript,
      String containerId,
      String user,
      Path pidFile,
      Resource resource,
      File workDir,
      Map<String, String> environment) {
    Class<?>[] types = {
      String.class, String.class, String.class, Path.class, Resource.class, File.class, Map.class
    };
    CommandExecutor ordinary;
    try {
      ordinary =
          (CommandExecutor)
              MethodHandles.lookup()
                  .findSpecial(
                      DefaultContainerExecutor.class,
                      "buildCommandExecutor",
                      MethodType.methodType(CommandExecutor.class, types),
                      MammothContainerExecutor.class)
                  .invokeWithArguments(
                      this,
                      wrapperScript,
                      containerId,
                      user,
                      pidFile,
                      resource,
                      workDir,
                      environment);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("No command for container " + containerId, e);
    }
    return command(containerId, pidFile, ordinary);
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
}
