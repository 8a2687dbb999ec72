// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What a command goes on in spite of. */
final class AcceptOptions {

  private static final String ACCEPT = "--accept";

  @Option(
      names = ACCEPT,
      paramLabel = "ID",
      description =
          "Go on in spite of this: 'recovery', where a restart loses tasks, or 'service', where"
              + " systemd may end containers with the NodeManager. Nothing else can be accepted.")
  private List<String> ids = new ArrayList<>();

  Set<String> ids() {
    return new HashSet<>(ids);
  }

  /** As if it had been given. */
  void add(String id) {
    ids.add(id);
  }

  /** Adds them to a command for another host. */
  void addTo(List<String> words) {
    ids.forEach(id -> NodeOptions.add(words, ACCEPT, id));
  }
}
