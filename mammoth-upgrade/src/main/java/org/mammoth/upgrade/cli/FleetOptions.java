// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.mammoth.upgrade.fleet.Hosts;
import picocli.CommandLine.Option;

/** Options of every command: on which hosts. */
final class FleetOptions {

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description = "Hosts, one a line, such as Hadoop's workers file. Without it: this node.")
  private Path file;

  @Option(
      names = "--ssh",
      paramLabel = "CMD",
      defaultValue = "ssh -o BatchMode=yes -o ConnectTimeout=10",
      description =
          "What is given a host and a command line, and the archive as its input; by default:"
              + " ${DEFAULT-VALUE}")
  private String ssh;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "20",
      description = "Hosts that are asked at once; by default ${DEFAULT-VALUE}.")
  private int parallel;

  private Predicate<String> wanted = host -> true;

  boolean isFleet() {
    return file != null;
  }

  List<String> hosts() throws IOException {
    return Hosts.read(file).stream().filter(wanted).toList();
  }

  /** The same with fewer hosts. */
  FleetOptions only(Predicate<String> hosts) {
    FleetOptions fewer = new FleetOptions();
    fewer.file = file;
    fewer.ssh = ssh;
    fewer.parallel = parallel;
    fewer.wanted = hosts;
    return fewer;
  }

  List<String> ssh() {
    return List.of(ssh.trim().split("\\s+"));
  }

  int parallel() {
    return Math.max(1, parallel);
  }
}
