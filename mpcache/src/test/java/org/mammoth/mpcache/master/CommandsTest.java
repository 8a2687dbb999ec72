// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.config.PathRules;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.policy.Departure;
import org.mammoth.mpcache.policy.MpCachePolicy;
import org.mammoth.mpcache.policy.ReplaceArbitrator;
import org.mammoth.mpcache.simulation.TraceJob;
import org.mammoth.mpcache.slave.AccessEvent;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.MasterReply.Evict;
import org.mammoth.mpcache.slave.MasterReply.Fill;
import org.mammoth.mpcache.slave.SlaveReport;
import org.mammoth.mpcache.space.DynamicSpaceManager;
import org.mammoth.mpcache.space.SpaceReport;
import org.mammoth.mpcache.space.SpaceShares;

/** What administrators have done: evict and warm. */
class CommandsTest {

  private static final String POOL = "BP-1";

  private final AdmissionFacility facility = new AdmissionFacility(100);

  /** Blocks 10..19 are set /a/1, 20..29 /a/2, 30..39 /b/3; each set has two blocks. */
  private final MasterState state =
      new MasterState(
          1,
          POOL,
          new ReplaceArbitrator(
              facility, new MpCachePolicy(facility, 1, MpCachePolicy.VictimDistance.LAST_SEEN)),
          new DynamicSpaceManager(1, 1),
          (key, reader) -> {
            long set = key.blockId() / 10;
            return Optional.of(
                new BlockResolver.Located(new DataSetId((set < 3 ? "/a/" : "/b/") + set), 2, 200));
          },
          PathRules.ALL,
          () -> 0,
          1);

  private static BlockKey key(long id) {
    return new BlockKey(POOL, id, 1, 100);
  }

  private MasterReply report(String slave, long... read) {
    List<AccessEvent> accesses =
        java.util.Arrays.stream(read)
            .mapToObj(id -> new AccessEvent(key(id), "job", false))
            .toList();
    SpaceReport space = new SpaceReport(new SpaceShares(1_000, 0, 0, 1), 0, 0, 0, 0, 0);
    return state.report(new SlaveReport(slave, 1, space, accesses, List.of(), null, 0));
  }

  private void begin(String slave) {
    SpaceReport space = new SpaceReport(new SpaceShares(1_000, 0, 0, 1), 0, 0, 0, 0, 0);
    state.report(new SlaveReport(slave, 1, space, List.of(), List.of(), List.of(), 0));
  }

  @Test
  void evictionReachesEachSlaveOnceAndOnlyWhatIsBelowThePath() {
    begin("s1");
    begin("s2");
    report("s1", 10, 20, 30);
    report("s2", 11, 21, 31);
    assertThat(state.evict(new DataSetId("/a"))).isEqualTo(4);
    assertThat(report("s1").orders())
        .containsExactlyInAnyOrder(new Evict(POOL, 10), new Evict(POOL, 20));
    assertThat(report("s2").orders())
        .containsExactlyInAnyOrder(new Evict(POOL, 11), new Evict(POOL, 21));
    assertThat(report("s1").orders()).isEmpty();
    assertThat(state.view().sets()).extracting(MasterView.SetView::path).containsExactly("/b/3");
    assertThat(state.view().absent())
        .isNotEmpty()
        .allMatch(set -> set.departure().cause() == Departure.Cause.ORDERED);
    assertThat(state.evict(new DataSetId("/a"))).isZero();
  }

  @Test
  void theRoundThatRunsDoesNotBringBackWhatWasEvicted() {
    begin("s1");
    report("s1", 10);
    state.evict(new DataSetId("/a"));
    assertThat(report("s1", 11).orders()).containsExactly(new Evict(POOL, 10));
    assertThat(state.view().sets()).isEmpty();
  }

  @Test
  void warmingIsAdmittedLikeAReadAndCountsAsNone() {
    begin("s1");
    state.warm("s1", List.of(key(10), key(11)), "warm-1");
    assertThat(state.toWarm("s1")).containsExactly(key(10), key(11));
    assertThat(report("s1").orders()).containsExactly(new Fill(key(10)), new Fill(key(11)));
    assertThat(report("s1").orders()).isEmpty();
    assertThat(state.view().misses()).isZero();
    assertThat(state.view().sets().get(0).complete()).isTrue();
  }

  @Test
  void aForgottenSlaveIsNotWarmed() {
    begin("s1");
    state.warm("s1", List.of(key(10)), "warm-1");
    state.forget("s1");
    begin("s1");
    assertThat(report("s1").orders()).isEmpty();
  }

  @Test
  void aPinHoldsWhatIsBelowItAndIsTakenBack() {
    begin("s1");
    report("s1", 10, 11, 30, 31);
    assertThat(state.pin(new DataSetId("/a"), true)).isEqualTo(1);
    assertThat(state.pin(new DataSetId("/a"), true)).isZero();
    assertThat(state.view().sets())
        .filteredOn(MasterView.SetView::pinned)
        .extracting(MasterView.SetView::path)
        .containsExactly("/a/1");
    report("s1", 20);
    assertThat(state.pinned(new DataSetId("/a/2"))).isTrue();
    assertThat(state.pinned(new DataSetId("/b/3"))).isFalse();
    assertThat(state.pin(new DataSetId("/a"), false)).isEqualTo(2);
    assertThat(state.view().sets()).noneMatch(MasterView.SetView::pinned);
  }

  @Test
  void theTraceHasEachRoundOnceAndTheLatestOnly() {
    begin("s1");
    report("s1", 10, 11, 30);
    assertThat(state.trace())
        .containsExactly(
            new TraceJob("recorded", "/a/1", 2, 100, 0),
            new TraceJob("recorded", "/b/3", 2, 100, 0));
    TraceRing ring = new TraceRing(2);
    for (int i = 1; i <= 3; i++) {
      ring.add(new BlockResolver.Located(new DataSetId("/c/" + i), i, 1));
    }
    assertThat(ring.rounds()).extracting(TraceJob::dataSet).containsExactly("/c/2", "/c/3");
    assertThat(ring.rounds()).extracting(TraceJob::blockBytes).containsExactly(1L, 1L);
  }
}
