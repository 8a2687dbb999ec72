// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.UserLaunch;

/** One container of a MapReduce job that an engine might run, seen from the NodeManager. */
public final class HostedLaunch implements JobFiles {

  /** Upstream has the command print into the log folder that it chose of several disks'. */
  private static final Pattern STDOUT = Pattern.compile("\\s1>(/\\S+)/stdout(\\s|$)");

  private final ContainerStartContext context;
  private final ContainerLinks links;
  private final ContainerEnvironment environment;
  private final Supplier<ContainerClassPath> readClassPath;
  private final Optional<String> javaOfNode;
  private ContainerClassPath classPath;

  /**
   * @param inherited what the launch script passes on of the NodeManager's variables
   * @param shared the class path of its engines
   */
  public HostedLaunch(
      ContainerStartContext context, Map<String, String> inherited, SharedClassPath shared) {
    this.context = context;
    links = ContainerLinks.of(context.getLocalizedResources());
    environment = new ContainerEnvironment(inherited, environment());
    javaOfNode =
        Optional.ofNullable(inherited.get(ApplicationConstants.Environment.JAVA_HOME.name()));
    readClassPath =
        () -> new ContainerClassPath(environment.variables(), new File(workDir()), links, shared);
  }

  @Override
  public String containerId() {
    return context.getContainer().getContainerId().toString();
  }

  @Override
  public String user() {
    return context.getUser();
  }

  /** What the launch script would link into the container's folder, and under which names. */
  public Map<Path, List<String>> links() {
    return links.byTarget();
  }

  /** The container's variables as its client gave them. */
  Map<String, String> environment() {
    return context.getContainer().getLaunchContext().getEnvironment();
  }

  @Override
  public Optional<File> jobFile() {
    return links.target(MRJobConfig.JOB_CONF_FILE);
  }

  /** The localized file that a container knows by the name {@code link}. */
  static Optional<File> localized(Map<Path, List<String>> resources, String link) {
    for (Map.Entry<Path, List<String>> entry : resources.entrySet()) {
      if (entry.getValue().contains(link)) {
        return Optional.of(new File(entry.getKey().toUri().getPath()));
      }
    }
    return Optional.empty();
  }

  /**
   * What the engine is told.
   *
   * @param arguments of the program's main
   * @param logLevel threshold of the container's log
   * @param properties that its command sets
   */
  public ContainerLaunchSpec spec(
      List<String> arguments, String logLevel, Map<String, String> properties) {
    String workDir = workDir();
    return new ContainerLaunchSpec()
        .withIdentity(
            containerId(), context.getUser(), context.getContainer().getResource().getMemorySize())
        .withFolders(workDir, logDir(), localDirs())
        .withFiles(
            jobFile().orElseThrow().getPath(),
            workDir + "/" + ContainerLaunch.FINAL_CONTAINER_TOKENS_FILE)
        .withProgram(arguments, classPath().entries(), logLevel)
        .withNodeClassPath(classPath().nodeEntries())
        .withEnvironment(variables())
        .withProperties(properties(properties));
  }

  /**
   * What an engine is told that runs as its user, and reads for itself what this NodeManager may
   * not: {@link #spec} without class path, and the rest that it needs.
   *
   * @param command of an ApplicationMaster; empty for a task
   */
  public ContainerLaunchSpec userSpec(
      List<String> arguments, String logLevel, Map<String, String> properties, List<String> command)
      throws IOException {
    String workDir = workDir();
    Map<String, List<String>> resources = new HashMap<>();
    context
        .getLocalizedResources()
        .forEach((path, names) -> resources.put(path.toUri().getPath(), List.copyOf(names)));
    List<String> logDirs = new ArrayList<>();
    for (String dir : context.getLogDirs()) {
      logDirs.add(logDir(dir));
    }
    byte[] tokens = bytes(context.getNmPrivateTokensPath());
    byte[] script = bytes(context.getNmPrivateContainerScriptPath());
    return new ContainerLaunchSpec()
        .withIdentity(
            containerId(), context.getUser(), context.getContainer().getResource().getMemorySize())
        .withFolders(workDir, logDir(), localDirs())
        .withFiles(
            jobFile().map(File::getPath).orElse(""),
            workDir + "/" + ContainerLaunch.FINAL_CONTAINER_TOKENS_FILE)
        .withProgram(arguments, List.of(), logLevel)
        .withEnvironment(variables())
        .withProperties(expanded(properties))
        .withUserLaunch(new UserLaunch(resources, logDirs, command, tokens, script));
  }

  private static byte[] bytes(Path file) throws IOException {
    return Files.readAllBytes(java.nio.file.Path.of(file.toUri().getPath()));
  }

  private List<String> localDirs() {
    return context.getApplicationLocalDirs().stream()
        .map(dir -> new Path(dir).toUri().getPath())
        .toList();
  }

  /** With those that the java launcher sets itself. */
  private Map<String, String> properties(Map<String, String> ofCommand) {
    Map<String, String> properties = expanded(ofCommand);
    properties.put("java.class.path", classPath().property());
    return properties;
  }

  private String workDir() {
    return context.getContainerWorkDir().toUri().getPath();
  }

  /** With what the launch script itself sets. */
  private Map<String, String> variables() {
    Map<String, String> variables = new HashMap<>(environment.variables());
    variables.put("PRELAUNCH_OUT", logDir() + "/" + ContainerLaunch.CONTAINER_PRE_LAUNCH_STDOUT);
    variables.put("PRELAUNCH_ERR", logDir() + "/" + ContainerLaunch.CONTAINER_PRE_LAUNCH_STDERR);
    return variables;
  }

  /** Why only a shell can read the values of its variables, empty if they are plain. */
  Optional<String> reasonAgainstEnvironment() {
    return environment.reasonAgainst();
  }

  /** Why only a shell can read the options of a command, empty if they are plain. */
  Optional<String> reasonAgainst(List<String> options) {
    return options.stream()
        .filter(option -> environment.word(option).isEmpty())
        .findFirst()
        .map(option -> "only a shell can read its option " + option);
  }

  /**
   * Why another Java than the node's is to run the container, empty if it is that.
   *
   * @param java as the command names it
   */
  Optional<String> reasonAgainstJava(String java) {
    return ContainerJava.reasonAgainst(java, environment, javaOfNode);
  }

  private Map<String, String> expanded(Map<String, String> texts) {
    Map<String, String> expanded = new HashMap<>();
    texts.forEach((name, text) -> expanded.put(name, environment.expand(text)));
    return expanded;
  }

  private String logDir() {
    return logDirOf(context.getContainer().getLaunchContext().getCommands().get(0))
        .orElseGet(() -> logDir(context.getLogDirs().get(0)));
  }

  /** The folder that a command prints into. */
  static Optional<String> logDirOf(String command) {
    Matcher stdout = STDOUT.matcher(command);
    return stdout.find() ? Optional.of(stdout.group(1)) : Optional.empty();
  }

  private String logDir(String dir) {
    return new Path(
            dir, ContainerLaunch.getRelativeContainerLogDir(context.getAppId(), containerId()))
        .toUri()
        .getPath();
  }

  @Override
  public synchronized ContainerClassPath classPath() {
    if (classPath == null) {
      classPath = readClassPath.get();
    }
    return classPath;
  }
}
