// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.configure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Services of systemd for the daemons of the release. They start what {@code --daemon start}
 * starts, so logs are where they are without services. A NodeManager's engines and containers
 * outlive it: of its service only the main process is ended.
 */
public final class SystemdUnits {

  private static final int OPEN_FILES = 65_536;

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
   */
  public SystemdUnits(Path home, Path conf, String user) {
    this.home = home;
    this.conf = conf;
    this.user = user;
  }

  /** Writes a file for each daemon; their names, those of the master before those of workers. */
  public List<String> write(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<String> names = new ArrayList<>();
    for (Daemon daemon : DAEMONS) {
      String name = "mammoth-" + daemon.name() + ".service";
      Files.writeString(folder.resolve(name), text(daemon));
      names.add(name);
    }
    return names;
  }

  /** The names of the master's services, or of the workers'. */
  public static List<String> names(boolean ofMaster) {
    return DAEMONS.stream()
        .filter(daemon -> daemon.onMaster() == ofMaster)
        .map(daemon -> "mammoth-" + daemon.name())
        .toList();
  }

  private String text(Daemon daemon) {
    String run = "mammoth-" + daemon.name();
    String command = home + "/bin/" + daemon.command() + " --config " + conf + " --daemon ";
    boolean outlived = daemon.name().equals("nodemanager");
    return "# Written by \"mammoth configure\".\n"
        + "[Unit]\n"
        + "Description=Mammoth: "
        + daemon.name()
        + "\n"
        + "Wants=network-online.target\n"
        + "After=network-online.target\n\n"
        + "[Service]\n"
        + "Type=forking\n"
        + "User="
        + user
        + "\n"
        + "RuntimeDirectory="
        + run
        + "\n"
        + "Environment=HADOOP_PID_DIR=/run/"
        + run
        + " HADOOP_IDENT_STRING="
        + user
        + "\n"
        + "PIDFile=/run/"
        + run
        + "/hadoop-"
        + user
        + "-"
        + daemon.name()
        + ".pid\n"
        + "ExecStart="
        + command
        + "start "
        + daemon.name()
        + "\n"
        + "ExecStop="
        + command
        + "stop "
        + daemon.name()
        + "\n"
        + (outlived
            ? "# Engines and containers go on while the NodeManager is restarted, and it finds"
                + " them again.\nKillMode=process\n"
            : "")
        // A JVM that ends of a signal says 143.
        + "SuccessExitStatus=143\n"
        + "Restart=on-failure\n"
        + "RestartSec=5\n"
        + "LimitNOFILE="
        + OPEN_FILES
        + "\n\n"
        + "[Install]\n"
        + "WantedBy=multi-user.target\n";
  }
}
