// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.policy.Decision.Outcome;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;

/** The cases of the mpCache paper (Wang et al. 2016, §3.3), worked out by hand. */
class MpCachePolicyTest {

  private final AdmissionFacility facility = new AdmissionFacility(1000);
  private final MpCachePolicy policy = new MpCachePolicy(facility, 1, VictimDistance.LAST_SEEN);
  private final ReplaceArbitrator arbitrator = new ReplaceArbitrator(facility, policy);

  /** Reads a whole set, blocks of 1 byte, block i on node i % nodes; counts the stored. */
  private int read(String path, int id, int blocks, int nodes) {
    int stored = 0;
    for (int i = 0; i < blocks; i++) {
      Access read =
          new Access(
              new DataSetId(path), blocks, blocks, i == 0, false, id * 1000L + i, 1, i % nodes);
      stored += arbitrator.access(read).outcome() == Outcome.STORE ? 1 : 0;
    }
    return stored;
  }

  private DataSet set(String path) {
    return facility.find(new DataSetId(path));
  }

  @Test
  void distanceCountsTheAccessesBetweenTheLastTwo() {
    arbitrator.capacity(0, 0);
    read("/a", 1, 1, 1);
    assertThat(set("/a").distance()).as("the very first").isEqualTo(0.01);
    read("/b", 2, 1, 1);
    read("/c", 3, 1, 1);
    assertThat(set("/c").distance()).as("first time: all before").isEqualTo(2);
    read("/a", 1, 1, 1);
    assertThat(set("/a").distance()).as("b and c between").isEqualTo(2);
    read("/a", 1, 1, 1);
    assertThat(set("/a").distance()).as("in succession").isEqualTo(0.01);
  }

  @Test
  void whatFitsIsLoadedAtOnceAndWhole() {
    arbitrator.capacity(0, 2);
    arbitrator.capacity(1, 2);
    assertThat(read("/a", 1, 4, 2)).isEqualTo(4);
    assertThat(set("/a").complete()).isTrue();
    assertThat(set("/a").priority).as("Full 1 + Clock 0 + Fr 4/4").isEqualTo(2);
  }

  @Test
  void aStrangerAtAFullCacheIsOnlyRecorded() {
    arbitrator.capacity(0, 4);
    read("/a", 1, 4, 1);
    assertThat(read("/b", 2, 1, 1)).isZero();
    assertThat(set("/b").admission()).isEqualTo(Admission.NOT_RECORDED);
    assertThat(set("/a").complete()).isTrue();
  }

  @Test
  void nothingOfASetThatWouldNotPayIsStored() {
    arbitrator.capacity(0, 4);
    read("/small", 1, 2, 1);
    read("/small", 1, 2, 1);
    read("/other", 2, 2, 1);
    read("/large", 3, 4, 1);
    read("/other", 2, 2, 1);
    // 1/(4·1) for the newcomer; 1/(2·0.01) for small alone.
    assertThat(read("/large", 3, 4, 1)).isZero();
    assertThat(set("/large").admission()).isEqualTo(Admission.NOT_PROFITABLE);
  }

  @Test
  void aWholeDataSetLeavesAndItsBlocksElsewhereAreMarked() {
    arbitrator.capacity(0, 2);
    arbitrator.capacity(1, 2);
    read("/unread", 9, 1, 1);
    arbitrator.removed(9000, 0);
    read("/old", 1, 4, 2);
    read("/new", 2, 2, 2);
    Access first = new Access(new DataSetId("/new"), 2, 2, true, false, 2000, 1, 0);
    Decision decision = arbitrator.access(first);
    // Read twice in succession: 1/(2·0.01) = 50 against 1/(4·1) = 0.25.
    assertThat(decision.reason()).isEqualTo(Admission.PROFITABLE);
    assertThat(decision.outcome()).isEqualTo(Outcome.STORE);
    assertThat(decision.evict()).containsExactlyInAnyOrder(1000, 1002);
    assertThat(set("/old").cached()).isFalse();
    assertThat(policy.clock()).as("priority of what left").isEqualTo(2);
    assertThat(set("/new").priority).as("Clock 2 + Fr 1/2").isEqualTo(2.5);

    Access gone = new Access(new DataSetId("/old"), 4, 4, false, false, 1001, 1, 1);
    assertThat(arbitrator.access(gone).outcome())
        .as("node 1 was not told yet, and /old is not to be stored")
        .isIn(Outcome.HIT, Outcome.HIT_MARKED);
    assertThat(arbitrator.takeMarked(1)).contains(1003L);
  }

  @Test
  void fameAges() {
    arbitrator.capacity(0, 2);
    for (int i = 0; i < 5; i++) {
      read("/famous", 1, 1, 1);
    }
    read("/x", 2, 1, 1);
    int rounds = 0;
    // Pairs read in succession push each other out; each time the clock rises.
    for (int id = 3; set("/famous").cached() && id < 40; id++) {
      read("/n" + id, id, 1, 1);
      read("/n" + id, id, 1, 1);
      rounds++;
    }
    assertThat(set("/famous").cached()).isTrue();
    assertThat(policy.clock()).as("its worth at distance 0.01 protects it").isLessThanOrEqualTo(6);
    assertThat(rounds).isEqualTo(37);
  }

  @Test
  void fameAgesWhenDistancesAge() {
    AdmissionFacility own = new AdmissionFacility(1000);
    ReplaceArbitrator aged =
        new ReplaceArbitrator(own, new MpCachePolicy(own, 1, VictimDistance.AGED));
    aged.capacity(0, 2);
    for (int id : new int[] {1, 1, 1, 1, 1, 2}) {
      aged.access(new Access(new DataSetId("/s" + id), 1, 1, true, false, id, 1, 0));
    }
    for (int id = 3; id < 40; id++) {
      aged.access(new Access(new DataSetId("/s" + id), 1, 1, true, false, id, 1, 0));
      aged.access(new Access(new DataSetId("/s" + id), 1, 1, true, false, id, 1, 0));
    }
    assertThat(aged.holds(1, 0)).isFalse();
    assertThat(aged.holds(39, 0)).isTrue();
  }

  @Test
  void losingABlockCostsTheBonusButNotTheAge() {
    arbitrator.capacity(0, 4);
    read("/a", 1, 4, 1);
    arbitrator.removed(1002, 0);
    assertThat(set("/a").complete()).isFalse();
    assertThat(set("/a").priority).isEqualTo(1);
  }

  @Test
  void aPinnedSetEntersAndStays() {
    arbitrator.capacity(0, 1);
    read("/a", 1, 1, 1);
    Access pinned = new Access(new DataSetId("/pin"), 1, 1, true, true, 5, 1, 0);
    assertThat(arbitrator.access(pinned).outcome()).isEqualTo(Outcome.STORE);
    for (int i = 0; i < 3; i++) {
      assertThat(read("/a", 1, 1, 1)).isZero();
    }
    assertThat(arbitrator.shrink(0, 1)).isEmpty();
    assertThat(set("/a").admission()).isEqualTo(Admission.TOO_LARGE);
  }

  @Test
  void theFacilityForgetsWhatWasReadLongestAgoAndIsNotCached() {
    AdmissionFacility small = new AdmissionFacility(3);
    ReplaceArbitrator own = new ReplaceArbitrator(small, new LruPolicy());
    own.capacity(0, 1);
    for (int id = 0; id < 5; id++) {
      own.access(
          new Access(
              new DataSetId("/s" + id), 1, id == 0 ? 1 : 9, true, false, id, id == 0 ? 1 : 9, 0));
    }
    assertThat(small.all()).extracting(set -> set.id().path()).contains("/s0", "/s3", "/s4");
    assertThat(small.all()).hasSize(3);
  }

  @Test
  void theSamePathIsTheSameSet() {
    assertThat(new DataSetId("/a//b/")).isEqualTo(new DataSetId("/a/b"));
    assertThat(DataSetId.ofFile("/a/b/part-0")).isEqualTo(new DataSetId("/a/b"));
    assertThat(DataSetId.ofFile("/x")).isEqualTo(new DataSetId("/"));
    assertThat(new DataSetId("/a/bc").isUnder(new DataSetId("/a/b"))).isFalse();
    assertThatThrownBy(() -> new DataSetId("a")).hasMessageContaining("absolute path");
  }
}
