package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/** One container of a MapReduce job that an engine might run, seen from the NodeManager. */
final class HostedLaunch {

  private final ContainerStartContext context;
  private final ContainerLinks links;
  private final ContainerEnvironment environment;
  private final ContainerClassPath classPath;

  /**
   * @param inherited what the launch script passes on of the NodeManager's variables
   * @param shared the class path of its engines
   */
  HostedLaunch(
      ContainerStartContext context, Map<String, String> inherited, SharedClassPath shared) {
    this.context = context;
    links = ContainerLinks.of(context.getLocalizedResources());
    environment = new ContainerEnvironment(inherited, environment());
    classPath = new ContainerClassPath(environment, new File(workDir()), links, shared);
  }

  String containerId() {
    return context.getContainer().getContainerId().toString();
  }

  String user() {
    return context.getUser();
  }

  /** What the launch script would link into the container's folder, and under which names. */
  Map<Path, List<String>> links() {
    return links.byTarget();
  }

  /** The container's variables as its client gave them. */
  Map<String, String> environment() {
    return context.getContainer().getLaunchContext().getEnvironment();
  }

  /** The localized job.xml. */
  Optional<File> jobFile() {
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
  ContainerLaunchSpec spec(
      List<String> arguments, String logLevel, Map<String, String> properties) {
    String workDir = workDir();
    List<String> localDirs = new ArrayList<>();
    for (String dir : context.getApplicationLocalDirs()) {
      localDirs.add(new Path(dir).toUri().getPath());
    }
    return new ContainerLaunchSpec()
        .withIdentity(
            containerId(), context.getUser(), context.getContainer().getResource().getMemorySize())
        .withFolders(workDir, logDir(), localDirs)
        .withFiles(
            jobFile().orElseThrow().getPath(),
            workDir + "/" + ContainerLaunch.FINAL_CONTAINER_TOKENS_FILE)
        .withProgram(arguments, classPath.entries(), logLevel)
        .withEnvironment(variables())
        .withProperties(properties(properties));
  }

  /** With those that the java launcher sets itself. */
  private Map<String, String> properties(Map<String, String> ofCommand) {
    Map<String, String> properties = expanded(ofCommand);
    properties.put("java.class.path", classPath.property());
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

  private Map<String, String> expanded(Map<String, String> texts) {
    Map<String, String> expanded = new HashMap<>();
    texts.forEach((name, text) -> expanded.put(name, environment.expand(text)));
    return expanded;
  }

  private String logDir() {
    return new Path(
            context.getLogDirs().get(0),
            ContainerLaunch.getRelativeContainerLogDir(context.getAppId(), containerId()))
        .toUri()
        .getPath();
  }

  /** The job's own jars and folders, behind Hadoop's. */
  ContainerClassPath classPath() {
    return classPath;
  }
}
