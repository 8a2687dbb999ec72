// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.mpcache.policy.Decision.Outcome;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;

/** The arbitrator decides as the slow model does, over random events of every kind. */
class ArbitratorOracleTest {

  private static final int NODES = 4;
  private static final int SETS = 24;
  private static final int EVENTS = 110_000;

  /** The slow model's history grows without end; a new pair now and then keeps it affordable. */
  private static final int EVENTS_PER_PAIR = 5_500;

  private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
  private final Map<Admission, Integer> reasons = new EnumMap<>(Admission.class);
  private int evictions;

  @ParameterizedTest
  @CsvSource({
    "mpcache,LAST_SEEN",
    "mpcache,AGED",
    "lru,LAST_SEEN",
    "lfu,LAST_SEEN",
    "lfu-history,LAST_SEEN"
  })
  void decidesAsTheSlowModelDoes(String policy, VictimDistance victimDistance) {
    for (int pair = 0; pair * EVENTS_PER_PAIR < EVENTS; pair++) {
      runPair(policy, victimDistance, pair);
    }
    assertThat(outcomes.keySet()).containsAll(List.of(Outcome.HIT, Outcome.STORE));
    assertThat(evictions).isGreaterThan(EVENTS / 100);
    if (policy.equals("mpcache")) {
      assertThat(outcomes).containsOnlyKeys(Outcome.values());
      assertThat(reasons.keySet())
          .containsExactlyInAnyOrder(
              Admission.FITS,
              Admission.PROFITABLE,
              Admission.PINNED,
              Admission.NOT_RECORDED,
              Admission.NOT_PROFITABLE,
              Admission.TOO_LARGE,
              Admission.NO_ROOM);
    }
  }

  private void runPair(String policy, VictimDistance victimDistance, int seed) {
    Random random = new Random(seed);
    double bonus = seed % 3;
    AdmissionFacility facility = new AdmissionFacility(10_000);
    ReplaceArbitrator fast =
        new ReplaceArbitrator(facility, policy(policy, facility, bonus, victimDistance));
    SlowModel slow = new SlowModel(policy, bonus, victimDistance);
    int[] sizes = random.ints(SETS, 1, 16).toArray();
    if (seed % 2 == 1) {
      // The pinned set is larger than all there is.
      sizes[SETS - 1] = 300;
    }
    for (int node = 0; node < NODES; node++) {
      fast.capacity(node, 40);
      slow.capacity(node, 40);
    }
    int set = 0;
    int block = 0;
    for (int event = 0; event < EVENTS_PER_PAIR; event++) {
      boolean begins = block >= sizes[set] || random.nextInt(40) == 0;
      if (begins) {
        // A few sets are hot, so that sets are read twice in succession too.
        set = (int) (SETS * Math.pow(random.nextDouble(), 3));
        block = 0;
      }
      int dice = random.nextInt(100);
      if (dice < 95) {
        compareAccess(fast, slow, random, set, sizes[set], block++, begins);
      } else {
        disturb(fast, slow, random, sizes, dice);
      }
      assertThat(fast.copies()).isEqualTo(slow.copyCount());
    }
  }

  private void compareAccess(
      ReplaceArbitrator fast,
      SlowModel slow,
      Random random,
      int set,
      int size,
      int block,
      boolean begins) {
    // Lengths differ, and the node is mostly the same for a block, so that there are more copies.
    int index = Math.min(block, size - 1);
    int node = random.nextInt(8) == 0 ? random.nextInt(NODES) : (set + index) % NODES;
    Access read =
        new Access(
            new DataSetId("/set" + set),
            size,
            bytesOfSet(set, size),
            begins,
            set == SETS - 1,
            set * 1000L + index,
            bytes(set, index),
            node);
    Decision decision = fast.access(read);
    SlowModel.Answer answer = slow.access(read);
    assertThat(decision.outcome()).as("%s", read).isEqualTo(answer.outcome());
    assertThat(decision.reason()).as("%s", read).isEqualTo(answer.reason());
    assertThat(sorted(decision.evict())).isEqualTo(new TreeSet<>(answer.evict()));
    outcomes.merge(decision.outcome(), 1, Integer::sum);
    reasons.merge(decision.reason(), 1, Integer::sum);
    evictions += decision.evict().length;
  }

  private void disturb(
      ReplaceArbitrator fast, SlowModel slow, Random random, int[] sizes, int dice) {
    int node = random.nextInt(NODES);
    int set = random.nextInt(SETS);
    long block = set * 1000L + random.nextInt(sizes[set]);
    long bytes = bytes(set, (int) (block % 1000));
    switch (dice) {
      case 95 -> {
        long capacity = 20 + random.nextInt(50);
        fast.capacity(node, capacity);
        slow.capacity(node, capacity);
      }
      case 96 -> {
        long wanted = 1 + random.nextInt(10);
        assertThat(sorted(fast.shrink(node, wanted)))
            .isEqualTo(new TreeSet<>(slow.shrink(node, wanted)));
      }
      case 97 -> {
        long total = bytesOfSet(set, sizes[set]);
        fast.restore(new DataSetId("/set" + set), sizes[set], total, block, bytes, node);
        slow.restore("/set" + set, sizes[set], total, block, bytes, node);
      }
      default -> {
        fast.removed(block, node);
        slow.removed(block, node);
      }
    }
  }

  private static long bytes(int set, int block) {
    return 1 + (set + block) % 3;
  }

  private static long bytesOfSet(int set, int size) {
    long sum = 0;
    for (int block = 0; block < size; block++) {
      sum += bytes(set, block);
    }
    return sum;
  }

  private static TreeSet<Long> sorted(long[] blocks) {
    TreeSet<Long> set = new TreeSet<>();
    Arrays.stream(blocks).forEach(set::add);
    return set;
  }

  private static ReplacementPolicy policy(
      String name, AdmissionFacility facility, double bonus, VictimDistance victimDistance) {
    return switch (name) {
      case "lru" -> new LruPolicy();
      case "lfu" -> new LfuPolicy(false);
      case "lfu-history" -> new LfuPolicy(true);
      default -> new MpCachePolicy(facility, bonus, victimDistance);
    };
  }
}
