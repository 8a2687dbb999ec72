// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mammoth.upgrade.check.MasterAddress;
import org.mammoth.upgrade.configure.ClusterConfig;
import org.mammoth.upgrade.configure.ClusterPlan;
import org.mammoth.upgrade.configure.SystemdUnits;
import org.mammoth.upgrade.fleet.Hosts;
import org.mammoth.upgrade.tree.HadoopTree;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mammoth configure}, which is {@code mammoth-upgrade configure} with its folders. */
@Command(
    name = "configure",
    description = {
      "Writes the configuration of a cluster of the Mammoth release into a new folder: who is",
      "master, who are the workers, which disks they have. What is not given is asked for on a",
      "terminal. Changes nothing that is there.",
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = {
      "Options can be in a file, a line each: mammoth configure @cluster.txt",
      "Exit status: 0; 1 when nothing was written; 2 for a wrong command line."
    })
final class ConfigureCommand implements Callable<Integer> {

  private static final int MOST_LISTED = 5;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private NodeOptions node;

  @Option(
      names = "--master",
      paramLabel = "HOST",
      description = "Where NameNode, ResourceManager and history server run.")
  private String master = "";

  @Option(
      names = "--workers",
      paramLabel = "FILE|HOST,...",
      description = "Where DataNodes and NodeManagers run: a file of host names, or their names.")
  private String workers = "";

  @Option(
      names = "--disks",
      paramLabel = "DIR,...",
      split = ",",
      description = "A folder on each disk, the same on all hosts.")
  private List<String> disks = List.of();

  @Option(
      names = "--ssd",
      paramLabel = "DIR=SIZE",
      description = "An SSD cache on the workers, such as /ssd0/mpcache=80g; none by default.")
  private String ssd = "";

  @Option(
      names = "--java-home",
      paramLabel = "DIR",
      description = "JAVA_HOME on all hosts; daemons that ssh starts see no login shell's.")
  private String javaHome = "";

  @Option(
      names = "--systemd-user",
      paramLabel = "USER",
      description = "Write services of systemd besides, whose daemons are this user's.")
  private String systemdUser = "";

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "The new configuration folder.")
  private Path to;

  @Override
  public Integer call() throws IOException {
    HadoopTree tree = node.tree();
    ClusterPlan plan = plan();
    Optional<SystemdUnits> units = units(tree);
    Path folder = to.toAbsolutePath().normalize();
    new ClusterConfig(plan).write(tree.conf(), folder);
    if (units.isPresent()) {
      units.get().write(folder);
    }
    tell(spec.commandLine().getOut(), tree, plan, folder, units.isPresent());
    return 0;
  }

  private Optional<SystemdUnits> units(HadoopTree tree) throws IOException {
    try {
      return systemdUser.isEmpty()
          ? Optional.empty()
          : Optional.of(new SystemdUnits(tree.home(), tree.conf(), systemdUser));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private ClusterPlan plan() throws IOException {
    String host = given(master, "--master", "Host of NameNode and ResourceManager");
    String others = given(workers, "--workers", "Workers: a file, or names with commas");
    String folders =
        given(String.join(",", disks), "--disks", "A folder on each disk, with commas");
    try {
      return new ClusterPlan(host, hosts(others), words(folders), ssd, javaHome);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static String given(String value, String option, String question) throws IOException {
    if (!value.isEmpty()) {
      return value;
    }
    Console terminal = System.console();
    String answer = terminal == null ? null : terminal.readLine("%s: ", question);
    if (answer == null || answer.isBlank()) {
      throw new IOException(option + " is missing; --help says what it is");
    }
    return answer.trim();
  }

  /** A file that is misspelt would be a cluster of one host, and data without copies. */
  private static List<String> hosts(String given) throws IOException {
    Path file = Path.of(given);
    if (Files.isRegularFile(file)) {
      return Hosts.read(file);
    }
    List<String> names = words(given);
    if (names.size() == 1 && MasterAddress.resolved(names.get(0)).isEmpty()) {
      throw new IOException(
          "'" + given + "' for --workers is no file, and no host that is known here");
    }
    return names;
  }

  private static List<String> words(String given) {
    List<String> parts = new ArrayList<>();
    for (String part : given.split(",")) {
      if (!part.isBlank()) {
        parts.add(part.trim());
      }
    }
    return parts;
  }

  private static String listed(List<String> hosts) {
    return String.join(", ", hosts.subList(0, Math.min(MOST_LISTED, hosts.size())))
        + (hosts.size() > MOST_LISTED ? ", ..." : "");
  }

  private static void tell(
      PrintWriter out, HadoopTree tree, ClusterPlan plan, Path folder, boolean services) {
    out.printf(
        "The configuration of %d workers (%s) is in %s; of each block there will be %d copies.%n",
        plan.workers().size(), listed(plan.workers()), folder, plan.replication());
    MasterAddress.check(plan.master())
        .ifPresent(found -> out.printf("WARNING: %s%n  -> %s%n", found.text(), found.remedy()));
    out.println("Next:");
    out.printf("  put the release into %s on each host, the same path everywhere,%n", tree.home());
    out.printf("    then what is in the new folder over its %s%n", tree.conf());
    out.println(
        "  make the folders of --disks there, and logs in the release, and give them to the");
    out.println(
        "    user whose daemons it will be; without services he reaches the workers by ssh");
    if (services) {
      out.println("  copy its systemd/*.service to /etc/systemd/system there, then on the master");
      out.println("    bin/hdfs namenode -format   (as that user)");
      out.println("    systemctl enable --now " + String.join(" ", SystemdUnits.names(true)));
      out.println("  and on each worker");
      out.println("    systemctl enable --now " + String.join(" ", SystemdUnits.names(false)));
    } else {
      out.println("  on the master: bin/hdfs namenode -format, sbin/start-all.sh");
      out.println("    and sbin/mr-jobhistory-daemon.sh start historyserver");
    }
    out.println("  on a worker: bin/mammoth doctor; anywhere: bin/mammoth engine -status");
    out.println("Nothing asks for a password: keep the ports from strangers, or set up Kerberos.");
    out.flush();
  }
}
