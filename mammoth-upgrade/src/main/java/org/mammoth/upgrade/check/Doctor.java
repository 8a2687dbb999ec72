// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All checks of a node, in the order in which an administrator would ask. */
public final class Doctor {

  private static final Set<String> ACCEPTABLE = Set.of("recovery", Service.ID);

  private Doctor() {}

  /**
   * Looks at a node.
   *
   * @param accepted ids of errors that are to count as warnings
   */
  public static List<Finding> examine(Facts facts, Set<String> accepted) throws IOException {
    List<Finding> found = new ArrayList<>();
    found.addAll(Versions.check(facts));
    found.addAll(NodeSettings.check(facts));
    found.addAll(LinuxExecutor.check(facts.tree(), facts.node()));
    found.addAll(Machine.check(facts));
    found.addAll(JobSettings.check(facts));
    found.addAll(UnknownKeysCheck.check(facts.tree()));
    return found.stream().map(finding -> accepted(finding, accepted)).toList();
  }

  /** Only what costs tasks can be accepted; what would not work cannot. */
  private static Finding accepted(Finding finding, Set<String> accepted) {
    return finding.level() == Finding.Level.ERROR
            && ACCEPTABLE.contains(finding.id())
            && accepted.contains(finding.id())
        ? new Finding(Finding.Level.WARNING, finding.id(), finding.text(), "accepted with --accept")
        : finding;
  }

  /** Whether nothing is in the way. */
  public static boolean isFit(List<Finding> findings) {
    return findings.stream().noneMatch(finding -> finding.level() == Finding.Level.ERROR);
  }
}
