package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.OrdinaryContainerChild;

/**
 * What a Mammoth node changes in the launch script of a MapReduce task that runs in an ordinary
 * container: the main class counts the fall-back for the job and then is YarnChild. The script is
 * only used when no engine takes the task.
 */
final class OrdinaryCommand {

  private OrdinaryCommand() {}

  /** Adapts a container's command and environment in place, if it is a MapReduce task. */
  static void adapt(List<String> commands, Map<String, String> environment) {
    Optional<TaskCommand> task = TaskCommand.recognise(commands);
    String classPath = environment.get("CLASSPATH");
    if (task.isEmpty() || classPath == null) {
      return;
    }
    commands.set(
        0,
        commands
            .get(0)
            .replace(
                " " + TaskCommand.YARN_CHILD + " ",
                " " + OrdinaryContainerChild.class.getName() + " "));
    environment.put("CLASSPATH", classPath + File.pathSeparator + ownJar());
  }

  private static String ownJar() {
    try {
      return new File(
              OrdinaryContainerChild.class
                  .getProtectionDomain()
                  .getCodeSource()
                  .getLocation()
                  .toURI())
          .getPath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("where is Mammoth's own jar?", e);
    }
  }
}
