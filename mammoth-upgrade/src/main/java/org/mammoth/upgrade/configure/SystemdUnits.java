// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.configure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Services of systemd for the daemons of the release. They start what {@code --daemon start}
 * starts, so logs are where they are without services. A NodeManager's engines and containers
 * outlive it: of its service only the main process is ended.
 */
public final class SystemdUnits {

  private static final String OUTLIVED =
      "# Engines and containers go on while it is restarted, and it finds them again.\n"
          + "KillMode=process\n";

  /**
   * A daemon.
   *
   * @param command which of the release's commands starts it
   * @param onMaster whether it belongs to the master, else to the workers
   */
  private record Daemon(String command, String name, boolean onMaster) {}

  private static final List<Daemon> DAEMONS =
      List.of(
          new Daemon("hdfs", "namenode", true),
          new Daemon("hdfs", "secondarynamenode", true),
          new Daemon("yarn", "resourcemanager", true),
          new Daemon("mapred", "historyserver", true),
          new Daemon("mammoth", "console", true),
          new Daemon("hdfs", "datanode", false),
          new Daemon("yarn", "nodemanager", false));

  private final Path home;
  private final Path conf;
  private final String user;

  /**
   * @param home where the release is on the hosts
   * @param conf where its configuration is on the hosts
   * @param user whose processes the daemons are
   * @throws IllegalArgumentException if that is no name of a user, or a path has letters that
   *     systemd takes for something else
   */
  public SystemdUnits(Path home, Path conf, String user) {
    if (!user.matches("[a-z_][a-z0-9_-]*")) {
      throw new IllegalArgumentException("'" + user + "' is no name of a user for --systemd-user");
    }
    for (Path path : List.of(home, conf)) {
      if (!path.toString().matches("[\\w@+=:,./-]+")) {
        throw new IllegalArgumentException(
            path + " has letters, such as blanks or %, that a unit of systemd takes otherwise");
      }
    }
    this.home = home;
    this.conf = conf;
    this.user = user;
  }

  /**
   * Writes a file for each daemon into {@code systemd} of a configuration folder, and into its
   * {@code hadoop-env.sh} where pid files are: commands find the daemons that services have
   * started.
   */
  public void write(Path to) throws IOException {
    Path folder = to.resolve("systemd");
    ClusterConfig.export(
        to, "export HADOOP_PID_DIR=/run/mammoth\nexport HADOOP_IDENT_STRING=" + user + "\n");
    Files.createDirectories(folder);
    for (Daemon daemon : DAEMONS) {
      Files.writeString(folder.resolve("mammoth-" + daemon.name() + ".service"), text(daemon));
    }
  }

  /** The names of the master's services, or of the workers'. */
  public static List<String> names(boolean ofMaster) {
    return DAEMONS.stream()
        .filter(daemon -> daemon.onMaster() == ofMaster)
        .map(daemon -> "mammoth-" + daemon.name())
        .toList();
  }

  private String text(Daemon daemon) {
    // A JVM that ends of a signal says 143.
    return """
        # Written by "mammoth configure".
        [Unit]
        Description=Mammoth: NAME
        Wants=network-online.target
        After=network-online.target

        [Service]
        Type=forking
        User=USER
        RuntimeDirectory=mammoth
        RuntimeDirectoryPreserve=yes
        Environment=HADOOP_PID_DIR=/run/mammoth HADOOP_IDENT_STRING=USER
        PIDFile=/run/mammoth/hadoop-USER-NAME.pid
        ExecStart=COMMAND start NAME
        ExecStop=COMMAND stop NAME
        KILL_MODESuccessExitStatus=143
        Restart=on-failure
        RestartSec=5
        LimitNOFILE=65536
        TasksMax=infinity

        [Install]
        WantedBy=multi-user.target
        """
        .replace("KILL_MODE", daemon.name().equals("nodemanager") ? OUTLIVED : "")
        .replace("NAME", daemon.name())
        .replace("USER", user)
        // Last, as paths may have such words in them.
        .replace("COMMAND", home + "/bin/" + daemon.command() + " --config " + conf + " --daemon");
  }
}
