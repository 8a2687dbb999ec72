// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.policy.Decision.Outcome;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;

/** Policies are exchanged at random moments; the books stay what the nodes hold. */
class PolicyChangeTest {

  private static final int NODES = 3;
  private static final int CAPACITY = 30;
  private static final int SETS = 12;

  private final AdmissionFacility facility = new AdmissionFacility(1_000);
  private final List<Supplier<ReplacementPolicy>> policies =
      List.of(
          () -> new MpCachePolicy(facility, 1, VictimDistance.LAST_SEEN),
          LruPolicy::new,
          () -> new LfuPolicy(false),
          () -> new MpCachePolicy(facility, 0, VictimDistance.AGED),
          () -> new LfuPolicy(true));
  private final ReplaceArbitrator arbitrator =
      new ReplaceArbitrator(facility, policies.get(0).get());
  private final List<Set<Long>> disks = new ArrayList<>();
  private int hits;
  private int evictions;

  @Test
  void theBooksSurviveAnyChangeOfPolicy() {
    for (int node = 0; node < NODES; node++) {
      disks.add(new HashSet<>());
      arbitrator.capacity(node, CAPACITY);
    }
    Random random = new Random(7);
    for (int round = 0; round < 3_000; round++) {
      if (random.nextInt(20) == 0) {
        change(policies.get(random.nextInt(policies.size())).get());
      }
      int set = (int) (SETS * Math.pow(random.nextDouble(), 2));
      int size = 2 + 3 * set;
      boolean begins = true;
      for (int block = 0; block < size; block++) {
        read(set, size, block, begins);
        begins = false;
      }
    }
    assertThat(hits).isGreaterThan(1_000);
    assertThat(evictions).isGreaterThan(1_000);
  }

  private void change(ReplacementPolicy next) {
    arbitrator.policy(next);
    assertThat(arbitrator.policyName()).isEqualTo(next.name());
    assertThat(arbitrator.copies())
        .isEqualTo(disks.stream().mapToLong(Set::size).sum() - arbitrator.markedBytes());
    for (DataSet set : arbitrator.dataSets()) {
      boolean ranked = set.cached() && next instanceof MpCachePolicy;
      assertThat(set.priority() > 0).as("%s by %s", set.id(), next.name()).isEqualTo(ranked);
    }
  }

  private void read(int set, int size, int block, boolean begins) {
    long id = set * 100L + block;
    int node = (int) (id % NODES);
    Set<Long> disk = disks.get(node);
    Decision decision =
        arbitrator.access(
            new Access(new DataSetId("/set" + set), size, size, begins, false, id, 1, node));
    boolean there = disk.contains(id);
    assertThat(decision.outcome() == Outcome.HIT || decision.outcome() == Outcome.HIT_MARKED)
        .isEqualTo(there);
    hits += there ? 1 : 0;
    for (long evicted : decision.evict()) {
      assertThat(disk.remove(evicted)).as("block %d", evicted).isTrue();
      evictions++;
    }
    if (decision.outcome() == Outcome.STORE) {
      disk.add(id);
    }
    assertThat(disk.size())
        .isLessThanOrEqualTo(CAPACITY)
        .isEqualTo((int) arbitrator.usedBytes(node));
  }
}
