// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.processes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation.OperationType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation.ResultCode;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation.RunAsUserCommand;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationException;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link UserProcesses} by upstream's setuid program {@code container-executor}, which has its own
 * list of whom it runs nothing for ({@code banned.users}, {@code min.user.id}).
 */
public final class SetuidProcesses implements UserProcesses {

  private static final Logger LOG = LoggerFactory.getLogger(SetuidProcesses.class);

  private final Configuration conf;
  private final LocalUsers users;
  private final LocalDirsHandlerService dirs;
  private final ControlGroups groups;

  public SetuidProcesses(Configuration conf, LocalDirsHandlerService dirs, ControlGroups groups) {
    this.conf = conf;
    this.dirs = dirs;
    this.groups = groups;
    this.users = new LocalUsers(conf);
  }

  @Override
  public List<Path> localDirs() {
    return paths(
        isKnown()
            ? dirs.getLocalDirs()
            : List.of(conf.getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS)));
  }

  @Override
  public List<Path> logDirs() {
    return paths(
        isKnown()
            ? dirs.getLogDirs()
            : List.of(conf.getTrimmedStrings(YarnConfiguration.NM_LOG_DIRS)));
  }

  /** An executor is made before that service, and clears earlier engines away. */
  private boolean isKnown() {
    return !dirs.isInState(Service.STATE.NOTINITED);
  }

  private static List<Path> paths(List<String> texts) {
    return texts.stream()
        .map(text -> Path.of(new org.apache.hadoop.fs.Path(text).toUri().getPath()))
        .toList();
  }

  private static String joined(List<Path> paths) {
    return paths.stream()
        .map(Path::toString)
        .collect(Collectors.joining(String.valueOf(PrivilegedOperation.LINUX_FILE_PATH_SEPARATOR)));
  }

  @Override
  public void run(Launch launch) throws IOException {
    PrivilegedOperation operation =
        as(launch.user(), OperationType.LAUNCH_CONTAINER, RunAsUserCommand.LAUNCH_CONTAINER);
    operation.appendArgs(
        launch.application(),
        launch.container(),
        launch.workDir().toString(),
        launch.script().toString(),
        launch.credentials().toString(),
        "--http",
        launch.pidFile().toString(),
        joined(localDirs()),
        joined(logDirs()),
        groups.enter(launch.container(), launch.size()));
    // An engine that is killed has not ended with 0, which is no news for the NodeManager's log.
    operation.disableFailureLogging();
    try {
      executor()
          .executePrivilegedOperation(Niceness.prefix(conf), operation, null, null, false, false);
    } catch (PrivilegedOperationException e) {
      throw new IOException(
          "it ended with " + e.getExitCode() + lines(e.getOutput()) + lines(e.getErrorOutput()), e);
    }
  }

  private static String lines(String said) {
    return said == null || said.isBlank() ? "" : "; " + said.trim().replaceAll("\\s*\n\\s*", " | ");
  }

  @Override
  public boolean limitsMemory() {
    return groups.limitMemory();
  }

  @Override
  public void resize(String container, Size size) throws IOException {
    groups.resize(container, size);
  }

  @Override
  public void leaveGroups(String container) {
    groups.leave(container);
  }

  @Override
  public boolean signal(String user, long pid, int signal) throws IOException {
    PrivilegedOperation operation =
        as(user, OperationType.SIGNAL_CONTAINER, RunAsUserCommand.SIGNAL_CONTAINER);
    operation.appendArgs(String.valueOf(pid), String.valueOf(signal));
    operation.disableFailureLogging();
    try {
      executor().executePrivilegedOperation(operation, false);
      return true;
    } catch (PrivilegedOperationException e) {
      if (e.getExitCode() == ResultCode.INVALID_CONTAINER_PID.getValue()) {
        return false;
      }
      throw new IOException(
          "signal "
              + signal
              + " did not reach process "
              + pid
              + " of "
              + user
              + ": container-executor ended with "
              + e.getExitCode()
              + lines(e.getOutput()),
          e);
    }
  }

  @Override
  public void delete(String user, List<Path> folders, List<Path> logs) {
    if (!folders.isEmpty()) {
      delete(
          user,
          folders.get(0).getFileName().toString(),
          folders.stream().map(Path::getParent).toList());
    }
    if (!logs.isEmpty()) {
      // Without a name in them the program removes the folders themselves as the NodeManager, whose
      // the log directories are.
      delete(user, "", logs);
    }
  }

  private void delete(String user, String name, List<Path> folders) {
    List<String> arguments = new ArrayList<>(List.of(name));
    folders.forEach(folder -> arguments.add(folder.toString()));
    try {
      PrivilegedOperation operation =
          as(user, OperationType.DELETE_AS_USER, RunAsUserCommand.DELETE_AS_USER);
      operation.appendArgs(arguments);
      executor().executePrivilegedOperation(operation, false);
    } catch (PrivilegedOperationException | IOException e) {
      LOG.warn("Not all of '{}' in {} of {} could be removed", name, folders, user, e);
    }
  }

  private PrivilegedOperation as(String user, OperationType type, RunAsUserCommand command)
      throws IOException {
    try {
      PrivilegedOperation operation = new PrivilegedOperation(type);
      operation.appendArgs(users.of(user), user, String.valueOf(command.getValue()));
      return operation;
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private PrivilegedOperationExecutor executor() {
    return PrivilegedOperationExecutor.getInstance(conf);
  }
}
