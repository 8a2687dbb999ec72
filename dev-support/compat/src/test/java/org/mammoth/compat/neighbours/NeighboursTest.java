// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.neighbours.Street.Place;
import org.mammoth.compat.neighbours.Street.Started;

/**
 * The hostile programs in one job, whose one map commits all their deeds: ordinary jobs before,
 * beside and after it see what they see on stock, in its engine and in another user's.
 *
 * <p>Says which deed it was only if the deed saw something else itself; {@code
 * dev-support/bin/neighbours} runs each program alone.
 */
@ExtendWith(SharedCluster.class)
@Tag("long")
class NeighboursTest {
  private static final String USER = "alice";
  private static final String OTHER = "bob";

  /** They would keep the others of the crowd from doing what they do. */
  private static final Set<String> ALONE = Set.of("SchemesByReflection", "MetricsEnd");

  @Test
  void noOrdinaryJobNoticesTheCrowd(MiniCluster cluster) throws Exception {
    Street street = new Street(cluster);
    List<Program> all = Program.all();
    assertThat(all).hasSizeGreaterThanOrEqualTo(60);
    Program crowd =
        Program.crowd(
            "crowd",
            all.stream()
                .filter(each -> each.isPlain() && !each.mayNeedProcess())
                .filter(each -> !ALONE.contains(each.name()))
                .toList());
    Program parts =
        Program.crowd(
            "parts",
            all.stream()
                .filter(each -> Set.of("libjars", "service", "class-path").contains(each.about()))
                .toList());
    Started stockWitness = street.witness(USER, Place.STOCK);
    Started stockCrowd = street.hostile(crowd, USER, Place.STOCK, "map", false);
    Started stockParts = street.hostile(parts, USER, Place.STOCK, "map", false);
    Seen before = street.witness(USER, Place.ENGINE).seen();
    Seen stock = stockWitness.seen();
    List<String> bad = new ArrayList<>();
    note("witness before", before, stock, bad);
    Started started = street.hostile(crowd, USER, Place.ENGINE, "map", true).held();
    Started beside = street.witness(USER, Place.ENGINE);
    Started others = street.witness(OTHER, Place.ENGINE);
    note("witness beside", beside.seen(), stock, bad);
    note("other user's witness beside", others.seen(), stock, bad);
    started.letGo();
    Seen own = started.seen();
    note("crowd", own, stockCrowd.seen(), bad);
    Seen after = street.witness(USER, Place.ENGINE).seen();
    note("witness after", after, stock, bad);
    if (!after.engines().equals(before.engines())) {
      bad.add("witness after: not in the engine that the crowd ran in");
    }
    note(
        "parts",
        street.hostile(parts, USER, Place.ENGINE, "map", false).seen(),
        stockParts.seen(),
        bad);
    note("witness after parts", street.witness(USER, Place.ENGINE).seen(), stock, bad);
    assertThat(bad).as("what somebody noticed, or saw of itself in another way").isEmpty();
  }

  private static void note(String who, Seen here, Seen stock, List<String> bad) {
    here.differences(stock).forEach(line -> bad.add(who + ": " + line));
    if (!here.inEngines()) {
      bad.add(who + ": not in an engine: " + Map.copyOf(here.places().byAttempt()));
    }
  }
}
