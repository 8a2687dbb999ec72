// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.mapred.OrdinaryContainerChild;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.config.names.KeyNames;
import org.mammoth.mapreduce.MammothCounter;
import org.mammoth.mapreduce.launch.AppMasterCommand;
import org.mammoth.mapreduce.launch.CommandRules;
import org.mammoth.mapreduce.launch.ContainerJava;
import org.mammoth.mapreduce.launch.TaskCommand;
import org.mammoth.mapreduce.nodemanager.classes.ClassArchive;

/**
 * What a Mammoth node changes in the launch script of a MapReduce task that runs in an ordinary
 * container: the main class counts the fall-back for the job and then is YarnChild, and the JVM
 * starts from the class-data archive. The script is only used when no engine takes the task.
 */
final class OrdinaryCommand {

  /** An administrator's, which would come before the one in Hadoop's jars. */
  private static final File LOG_SETTINGS =
      new File(
          System.getenv().getOrDefault("HADOOP_CONF_DIR", "/nonexistent"),
          "container-log4j.properties");

  /** One class of each module of ours that the main classes of tasks use. */
  private static final List<Class<?>> NEEDED =
      List.of(OrdinaryContainerChild.class, MammothCounter.class, KeyNames.class);

  private OrdinaryCommand() {}

  /**
   * Adapts a container's command and environment in place, if it is a MapReduce task or
   * ApplicationMaster.
   *
   * @param links names of what is linked into the container's folder
   * @param archive class-data archive to start from, if there is one
   */
  static void adapt(
      List<String> commands,
      Map<String, String> environment,
      Collection<String> links,
      Optional<ClassArchive> archive) {
    adapt(commands, environment, links, archive, OrdinaryContainerChild.class);
  }

  /**
   * The same for a job of which nothing is known but its command: {@code child} finds the rest out.
   *
   * @param child main class of a task
   */
  static void adapt(
      List<String> commands,
      Map<String, String> environment,
      Collection<String> links,
      Optional<ClassArchive> archive,
      Class<?> child) {
    boolean task = TaskCommand.recognise(commands).isPresent();
    String classPath = environment.get("CLASSPATH");
    if (classPath == null
        || hasWorldOfItsOwn(environment)
        || !(task || AppMasterCommand.isMapReduce(commands))) {
      return;
    }
    if (task) {
      commands.set(
          0,
          commands.get(0).replace(" " + TaskCommand.YARN_CHILD + " ", " " + child.getName() + " "));
      classPath = classPath + File.pathSeparator + ownJars();
    }
    if (archive.isPresent() && mayReorder(classPath, links)) {
      commands.set(
          0,
          commands
              .get(0)
              .replaceFirst(
                  "/bin/java ", "/bin/java " + String.join(" ", archive.get().options()) + " "));
      classPath = archive.get().jars() + File.pathSeparator + classPath;
    }
    environment.put("CLASSPATH", classPath);
  }

  /**
   * Whether the container may not have this node's classes or Java: it runs in an image, or a Java
   * of its own that may be too old for them.
   */
  private static boolean hasWorldOfItsOwn(Map<String, String> environment) {
    return CommandRules.runsElsewhere(environment)
        || ContainerJava.isOfContainer(environment, System.getenv("JAVA_HOME"));
  }

  /**
   * Whether Hadoop's jars may go before the container's and the configuration's folder: nothing of
   * the user's is there that could be meant to hide a file of a jar, and they go before the job's
   * classes anyway.
   */
  private static boolean mayReorder(String classPath, Collection<String> links) {
    int hadoop = classPath.indexOf("/share/hadoop/");
    int job = classPath.indexOf(MRJobConfig.JOB_JAR + "/");
    return hadoop >= 0
        && hadoop < job
        && !LOG_SETTINGS.isFile()
        && links.stream()
            .allMatch(
                link ->
                    link.equals(MRJobConfig.JOB_JAR)
                        || link.equals(MRJobConfig.JOB_CONF_FILE)
                        || link.startsWith(MRJobConfig.JOB_SUBMIT_DIR + "/"));
  }

  /** The jars of ours that a task's main classes need; others of ours are not there. */
  private static String ownJars() {
    return NEEDED.stream()
        .map(OrdinaryCommand::jarOf)
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String jarOf(Class<?> ours) {
    try {
      return new File(ours.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("where is Mammoth's own jar?", e);
    }
  }
}
