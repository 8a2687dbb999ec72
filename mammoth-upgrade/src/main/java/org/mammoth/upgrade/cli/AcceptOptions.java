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
      description = "Go on in spite of this; only 'recovery' can be accepted: tasks are lost then.")
  private List<String> ids = new ArrayList<>();

  Set<String> ids() {
    return new HashSet<>(ids);
  }

  /** Adds them to a command for another host. */
  void addTo(List<String> words) {
    ids.forEach(id -> NodeOptions.add(words, ACCEPT, id));
  }
}
