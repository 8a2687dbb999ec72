package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/** One container of a MapReduce job that an engine might run, seen from the NodeManager. */
final class HostedLaunch {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)}?");

  private final ContainerStartContext context;

  HostedLaunch(ContainerStartContext context) {
    this.context = context;
  }

  String containerId() {
    return context.getContainer().getContainerId().toString();
  }

  String user() {
    return context.getUser();
  }

  /** What the launch script would link into the container's folder, and under which names. */
  Map<Path, List<String>> links() {
    return context.getLocalizedResources();
  }

  Map<String, String> environment() {
    return context.getContainer().getLaunchContext().getEnvironment();
  }

  /** The localized job.xml. */
  Optional<File> jobFile() {
    return localized(MRJobConfig.JOB_CONF_FILE);
  }

  private Optional<File> localized(String link) {
    return localized(context.getLocalizedResources(), link);
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
   */
  ContainerLaunchSpec spec(List<String> arguments, String logLevel) {
    String workDir = context.getContainerWorkDir().toUri().getPath();
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
        .withProgram(arguments, classPath(), logLevel)
        .withEnvironment(expanded(environment()));
  }

  private String logDir() {
    return new Path(
            context.getLogDirs().get(0),
            ContainerLaunch.getRelativeContainerLogDir(context.getAppId(), containerId()))
        .toUri()
        .getPath();
  }

  /** The class path's entries as files, for those who look into them. */
  List<java.nio.file.Path> classPathEntries() {
    return classPath().stream().map(java.nio.file.Path::of).toList();
  }

  /** What stands behind Hadoop's own class path: the order of upstream's MRApps.setClasspath. */
  private List<String> classPath() {
    List<String> entries = new ArrayList<>();
    Optional<File> jobJar = localized(MRJobConfig.JOB_JAR);
    if (jobJar.isPresent()) {
      if (jobJar.get().isDirectory()) {
        addJars(entries, jobJar.get());
        entries.add(new File(jobJar.get(), "classes").getPath() + "/");
        addJars(entries, new File(jobJar.get(), "lib"));
      } else {
        entries.add(jobJar.get().getPath());
      }
    }
    context
        .getLocalizedResources()
        .forEach(
            (path, links) -> {
              File file = new File(path.toUri().getPath());
              for (String link : links) {
                if (link.endsWith(".jar") && !link.equals(MRJobConfig.JOB_JAR)) {
                  entries.add(file.getPath());
                } else if (link.equals("libjars") && file.isDirectory()) {
                  addJars(entries, file);
                }
              }
            });
    return entries;
  }

  private static void addJars(List<String> entries, File folder) {
    File[] jars = folder.listFiles((dir, name) -> name.endsWith(".jar"));
    if (jars != null) {
      Arrays.sort(jars);
      for (File jar : jars) {
        entries.add(jar.getPath());
      }
    }
  }

  /** Values with {@code $NAME} replaced by other values, as the launch script's shell would. */
  private static Map<String, String> expanded(Map<String, String> environment) {
    Map<String, String> result = new HashMap<>();
    environment.forEach(
        (name, value) -> {
          Matcher matcher = VARIABLE.matcher(value);
          result.put(
              name,
              matcher.replaceAll(
                  match -> {
                    String other = match.group(1);
                    String replacement =
                        other.equals(name)
                            ? System.getenv().getOrDefault(other, "")
                            : environment.getOrDefault(
                                other, System.getenv().getOrDefault(other, ""));
                    return Matcher.quoteReplacement(replacement);
                  }));
        });
    return result;
  }
}
