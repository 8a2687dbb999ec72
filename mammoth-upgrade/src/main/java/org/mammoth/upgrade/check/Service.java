// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The service of systemd that a NodeManager is, if it is one. */
public final class Service {

  /** By which it is accepted. */
  public static final String ID = "service";

  private Service() {}

  /** The name of a process's service; empty if it is none, or gone. */
  public static Optional<String> of(long pid) {
    return in(Path.of("/proc/" + pid + "/cgroup"));
  }

  /**
   * As {@link #of}.
   *
   * @param groups the process's control groups, as the kernel lists them
   */
  static Optional<String> in(Path groups) {
    try (Stream<String> lines = Files.lines(groups)) {
      return lines
          .filter(line -> line.contains("/system.slice/") && line.endsWith(".service"))
          .map(line -> line.substring(line.lastIndexOf('/') + 1))
          .findFirst();
    } catch (IOException notLinuxAsWeKnowIt) {
      return Optional.empty();
    }
  }

  /** What is in the way of restarting it with Hadoop's own commands. */
  public static Finding finding(String service) {
    return Finding.error(
        ID,
        "the NodeManager is the service "
            + service
            + ": Hadoop's own stop and start would take it out of systemd's sight, and unless the"
            + " unit has KillMode=process its end ends all containers and engines",
        "set KillMode=process in the unit, then give apply and rollback --restart-command"
            + " 'systemctl restart "
            + service
            + "'; --accept service goes on without");
  }
}
