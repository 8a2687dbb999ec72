// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.upgrade.node.LocalOptions;
import org.mammoth.upgrade.node.RunOptions;
import picocli.CommandLine.Option;

/** Options of the commands that change something. */
final class RunningOptions {

  static final String NONE = "none";

  @Option(
      names = "--dry-run",
      description = "Print every change that would be made now, and make none.")
  private boolean dryRun;

  @Option(
      names = "--drain-timeout",
      paramLabel = "SECONDS",
      defaultValue = "900",
      description =
          "How long engines have to end the tasks they have, where they must end; by default"
              + " ${DEFAULT-VALUE}.")
  private long drain;

  @Option(
      names = "--health-timeout",
      paramLabel = "SECONDS",
      defaultValue = "180",
      description =
          "How long a restarted NodeManager has to become well; by default ${DEFAULT-VALUE}.")
  private long health;

  @Option(
      names = "--force",
      description =
          "End the tasks of engines that have not ended in time. Their jobs run them again.")
  private boolean force;

  @Option(
      names = "--probe",
      paramLabel = "CMD|none",
      defaultValue = "",
      description =
          "A small job at the end, as a shell command, or none; by default Hadoop's example pi."
              + " With --hosts it runs once a batch.")
  private String probe;

  @Option(
      names = "--restart-command",
      paramLabel = "CMD",
      defaultValue = "",
      description =
          "What restarts the NodeManager, such as 'systemctl restart hadoop-nodemanager'; by"
              + " default Hadoop's own stop and start.")
  private String restart;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --hosts: nodes that are changed at once; by default ${DEFAULT-VALUE}.")
  private int batch;

  @Option(
      names = "--go-on",
      description = "With --hosts: go on with the next batch after one with trouble.")
  private boolean goOn;

  boolean isDry() {
    return dryRun;
  }

  /** Whether the NodeManager is restarted in a way of the administrator's own. */
  boolean hasRestart() {
    return !restart.isEmpty();
  }

  boolean goesOn() {
    return goOn;
  }

  int batch() {
    return Math.max(1, batch);
  }

  RunOptions run(boolean turnBack) {
    return new RunOptions(
        Duration.ofSeconds(drain),
        Duration.ofSeconds(health),
        force,
        turnBack,
        !probe.equals(NONE));
  }

  LocalOptions local() {
    return new LocalOptions(restart, probe.equals(NONE) ? "" : probe);
  }

  /** The same options for another host. */
  List<String> words(boolean withProbe) {
    List<String> words = new ArrayList<>();
    if (dryRun) {
      words.add("--dry-run");
    }
    if (force) {
      words.add("--force");
    }
    words.addAll(List.of("--drain-timeout", String.valueOf(drain)));
    words.addAll(List.of("--health-timeout", String.valueOf(health)));
    if (!withProbe) {
      words.addAll(List.of("--probe", NONE));
    } else if (!probe.isEmpty()) {
      words.addAll(List.of("--probe", probe));
    }
    if (!restart.isEmpty()) {
      words.addAll(List.of("--restart-command", restart));
    }
    return words;
  }
}
