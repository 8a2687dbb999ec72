// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.config.PathRules;
import org.mammoth.mpcache.policy.Admission;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.policy.Departure;
import org.mammoth.mpcache.policy.Departure.Cause;
import org.mammoth.mpcache.policy.LruPolicy;
import org.mammoth.mpcache.policy.MpCachePolicy;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;
import org.mammoth.mpcache.policy.ReplaceArbitrator;
import org.mammoth.mpcache.slave.AccessEvent;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.MasterReply.Evict;
import org.mammoth.mpcache.slave.MasterReply.Fill;
import org.mammoth.mpcache.slave.SlaveReport;
import org.mammoth.mpcache.space.DynamicSpaceManager;
import org.mammoth.mpcache.space.SpaceReport;
import org.mammoth.mpcache.space.SpaceShares;

/** Slaves are maps here: what they were told to store and drop. Blocks of set n are n*100+i. */
class MasterStateTest {

  private static final String POOL = "BP-1";

  private final Map<Integer, Integer> sizes = new HashMap<>();
  private final Map<String, Set<Long>> disks = new HashMap<>();
  private final Map<String, Long> incarnations = new HashMap<>();
  private final Set<String> inventoryWanted = new HashSet<>();
  private long capacity = 10;
  private long now;
  private PathRules rules = PathRules.ALL;
  private AdmissionFacility facility;
  private MasterState master = master(1);

  private MasterState master(long epoch) {
    facility = new AdmissionFacility(1000);
    return new MasterState(
        epoch,
        POOL,
        new ReplaceArbitrator(facility, new MpCachePolicy(facility, 1, VictimDistance.LAST_SEEN)),
        new DynamicSpaceManager(10, 10),
        this::resolve,
        rules,
        () -> now,
        1000);
  }

  private Optional<BlockResolver.Located> resolve(BlockKey key, String reader) {
    int set = (int) (key.blockId() / 100);
    Integer blocks = sizes.get(set);
    return Optional.ofNullable(blocks)
        .map(n -> new BlockResolver.Located(new DataSetId("/data/s" + set), n, n));
  }

  private static BlockKey key(long id) {
    return new BlockKey(POOL, id, 1, 1);
  }

  /** One heartbeat in which a slave reports reads of these blocks; its disk obeys. */
  private MasterReply heartbeat(String slave, String reader, List<BlockKey> gone, long... blocks) {
    Set<Long> disk = disks.computeIfAbsent(slave, name -> new HashSet<>());
    List<AccessEvent> events = new ArrayList<>();
    for (long block : blocks) {
      events.add(new AccessEvent(key(block), reader, disk.contains(block)));
    }
    List<BlockKey> inventory =
        inventoryWanted.remove(slave) ? disk.stream().map(MasterStateTest::key).toList() : null;
    SpaceReport space =
        new SpaceReport(new SpaceShares(capacity, 0, 0, 1), 0, disk.size(), 0, 0, 0);
    MasterReply reply =
        master.report(
            new SlaveReport(
                slave, incarnations.getOrDefault(slave, 1L), space, events, gone, inventory, 0));
    obey(slave, reply);
    return reply;
  }

  private void obey(String slave, MasterReply reply) {
    Set<Long> disk = disks.get(slave);
    for (MasterReply.Order order : reply.orders()) {
      if (order instanceof Fill fill) {
        disk.add(fill.key().blockId());
      } else if (order instanceof Evict evict) {
        disk.remove(evict.blockId());
      }
    }
    if (reply.sendInventory()) {
      inventoryWanted.add(slave);
    }
  }

  private void join(String... slaves) {
    for (String slave : slaves) {
      heartbeat(slave, "", List.of());
      heartbeat(slave, "", List.of());
    }
  }

  private MasterReply read(String slave, String reader, long... blocks) {
    return heartbeat(slave, reader, List.of(), blocks);
  }

  @Test
  void aDataSetIsWhollyCachedOverTwoSlaves() {
    sizes.put(1, 4);
    join("dn1", "dn2");
    read("dn1", "job1", 100, 101);
    assertThat(master.view().completeSets()).isZero();
    read("dn2", "job1", 102, 103);
    MasterView view = master.view();
    assertThat(view.completeSets()).isEqualTo(1);
    assertThat(view.sets())
        .containsExactly(
            new MasterView.SetView("/data/s1", 4, 4, 4, 4, 1, 0, 2.0, false, Admission.FITS, null));
    assertThat(view.absent()).isEmpty();
    assertThat(view.sets().get(0).complete()).isTrue();
    read("dn1", "job2", 100, 101);
    read("dn2", "job2", 102, 103);
    assertThat(master.view().sets().get(0).hits()).isEqualTo(4);
    assertThat(master.view().hits()).isEqualTo(4);
    assertThat(master.view().misses()).isEqualTo(4);
    assertThat(master.view().rounds()).isEqualTo(2);
    assertThat(master.view().roundsComplete()).isEqualTo(1);
  }

  @Test
  void aJobIsOneAccessHoweverManyReportsItTakes() {
    sizes.put(1, 4);
    join("dn1");
    for (long block : new long[] {100, 101, 102, 100}) {
      read("dn1", "job1", block);
    }
    assertThat(master.view().sets().get(0).accesses()).isEqualTo(1);
    read("dn1", "job2", 100);
    assertThat(master.view().sets().get(0).accesses()).isEqualTo(2);
  }

  @Test
  void withoutAJobTheFirstBlockAgainOrARestBeginsAnAccess() {
    sizes.put(1, 4);
    join("dn1");
    read("dn1", "", 100, 101, 101, 102);
    assertThat(master.view().sets().get(0).accesses()).isEqualTo(1);
    read("dn1", "", 100);
    assertThat(master.view().sets().get(0).accesses()).isEqualTo(2);
    now += 1001;
    read("dn1", "", 103);
    assertThat(master.view().sets().get(0).accesses()).isEqualTo(3);
  }

  @Test
  void whatASlaveCouldNotStoreDoesNotCount() {
    sizes.put(1, 2);
    join("dn1");
    read("dn1", "job1", 100, 101);
    disks.get("dn1").remove(101L);
    heartbeat("dn1", "", List.of(key(101)));
    assertThat(master.view().completeSets()).isZero();
    assertThat(master.view().sets().get(0).cachedBlocks()).isEqualTo(1);
    assertThat(master.view().sets().get(0).departure().cause()).isEqualTo(Cause.LOST);
  }

  @Test
  void theViewSaysForWhomADataSetHadToLeaveAndWhyAnotherWasRefused() {
    capacity = 4;
    sizes.put(1, 4);
    sizes.put(2, 4);
    sizes.put(3, 5);
    join("dn1");
    read("dn1", "job1", 300);
    read("dn1", "job2", 100, 101, 102, 103);
    read("dn1", "job3", 200, 201, 202, 203);
    read("dn1", "job4", 200, 201, 202, 203);
    MasterView view = master.view();
    assertThat(view.sets()).extracting(MasterView.SetView::path).containsExactly("/data/s2");
    assertThat(view.sets().get(0).admission()).isEqualTo(Admission.PROFITABLE);
    assertThat(view.absent())
        .extracting(MasterView.SetView::path)
        .containsExactly("/data/s1", "/data/s3");
    assertThat(view.absent().get(0).departure())
        .isEqualTo(new Departure(Cause.DISPLACED, new DataSetId("/data/s2")));
    assertThat(view.absent().get(1).admission()).isEqualTo(Admission.NOT_RECORDED);
    assertThat(view.absent().get(1).departure()).isNull();
  }

  @Test
  void changedRulesLetGoOfWhatIsExcludedAndKeepWhatIsKnown() {
    sizes.put(1, 2);
    sizes.put(2, 2);
    join("dn1");
    read("dn1", "job1", 100, 101);
    read("dn1", "job2", 100, 101, 200, 201);
    master.pin(new DataSetId("/data/s2"), true);
    DataSetId first = new DataSetId("/data/s1");
    PathRules next = new PathRules(List.of(), List.of(first), List.of());
    assertThat(master.reconfigure(next, new LruPolicy())).isEqualTo(2);
    heartbeat("dn1", "", List.of());
    assertThat(disks.get("dn1")).containsExactlyInAnyOrder(200L, 201L);
    assertThat(master.view().policy()).isEqualTo("lru");
    assertThat(master.view().sets().get(0).pinned()).as("a pin by command stays").isTrue();
    assertThat(master.view().absent().get(0).accesses()).isEqualTo(2);
    read("dn1", "job3", 100);
    assertThat(disks.get("dn1")).as("excluded").hasSize(2);
    PathRules pins = new PathRules(List.of(), List.of(), List.of(first));
    MpCachePolicy again = new MpCachePolicy(facility, 1, VictimDistance.LAST_SEEN);
    assertThat(master.reconfigure(pins, again)).isZero();
    read("dn1", "job4", 100, 101);
    assertThat(disks.get("dn1")).hasSize(4);
    assertThat(master.view().sets())
        .allMatch(MasterView.SetView::pinned)
        .allMatch(set -> set.priority() > 0);
  }

  @Test
  void aSlaveThatLosesSpaceIsToldWhatToDrop() {
    sizes.put(1, 4);
    join("dn1");
    read("dn1", "job1", 100, 101, 102, 103);
    capacity = 3;
    MasterReply reply = read("dn1", "");
    assertThat(reply.orders()).as("the set goes whole").hasSize(4);
    assertThat(disks.get("dn1")).isEmpty();
  }

  @Test
  void localizedDataMakesRoomByTheSameScheme() {
    sizes.put(1, 4);
    join("dn1");
    read("dn1", "job1", 100, 101, 102, 103);
    obey("dn1", master.makeRoom("dn1", 1));
    assertThat(disks.get("dn1")).isEmpty();
    assertThat(master.makeRoom("unknown", 1).orders()).isEmpty();
  }

  @Test
  void aNewMasterLearnsWhatThereIsAndLosesOnlyWarmth() {
    sizes.put(1, 4);
    sizes.put(2, 1);
    join("dn1");
    read("dn1", "job1", 100, 101, 102, 103);
    read("dn1", "job2", 200);
    sizes.remove(2);
    master = master(2);
    MasterReply reply = read("dn1", "job3", 100);
    assertThat(reply.epoch()).isEqualTo(2);
    assertThat(reply.sendInventory()).isTrue();
    assertThat(reply.orders()).as("nothing is decided before the inventory").isEmpty();
    read("dn1", "");
    assertThat(disks.get("dn1"))
        .as("200 belongs to no file now")
        .containsOnly(100L, 101L, 102L, 103L);
    assertThat(master.view().completeSets()).isEqualTo(1);
    read("dn1", "job4", 100);
    assertThat(master.view().hits()).isEqualTo(1);
  }

  @Test
  void aSlaveThatRestartsIsAskedAgain() {
    sizes.put(1, 2);
    join("dn1");
    read("dn1", "job1", 100, 101);
    disks.get("dn1").remove(101L);
    incarnations.put("dn1", 2L);
    assertThat(read("dn1", "").sendInventory()).isTrue();
    assertThat(master.view().cachedSets()).isZero();
    read("dn1", "");
    assertThat(master.view().sets().get(0).cachedBlocks()).isEqualTo(1);
  }

  @Test
  void anOrderThatWasLostIsGivenAgain() {
    sizes.put(1, 2);
    join("dn1");
    read("dn1", "job1", 100, 101);
    disks.get("dn1").remove(101L);
    MasterReply reply = read("dn1", "job2", 101);
    assertThat(reply.orders()).containsExactly(new Fill(key(101)));
  }

  @Test
  void anInventoryCorrectsTheBooksBothWays() {
    sizes.put(1, 4);
    join("dn1");
    read("dn1", "job1", 100, 101);
    disks.get("dn1").remove(101L);
    disks.get("dn1").add(102L);
    inventoryWanted.add("dn1");
    read("dn1", "");
    assertThat(master.view().sets().get(0).cachedBlocks()).isEqualTo(2);
    MasterReply reply = read("dn1", "job2", 100, 102);
    assertThat(reply.orders()).isEmpty();
    assertThat(master.view().hits()).isEqualTo(2);
  }

  @Test
  void aSlaveThatIsGoneTakesItsCopiesOffTheBooks() {
    sizes.put(1, 2);
    join("dn1", "dn2");
    read("dn1", "job1", 100);
    read("dn2", "job1", 101);
    master.forget("dn2");
    MasterView view = master.view();
    assertThat(view.sets().get(0).cachedBlocks()).isEqualTo(1);
    assertThat(view.slaves()).containsOnlyKeys("dn1");
  }

  @Test
  void twoCopiesOfABlockAreOneBlockOfTheSet() {
    sizes.put(1, 2);
    join("dn1", "dn2");
    read("dn1", "job1", 100);
    read("dn2", "job1", 100);
    assertThat(master.view().sets().get(0).cachedBlocks()).isEqualTo(1);
    assertThat(master.view().sets().get(0).copyBytes()).isEqualTo(2);
    master.forget("dn1");
    assertThat(master.view().sets().get(0).cachedBlocks()).isEqualTo(1);
  }

  @Test
  void excludedPathsStayOutAndCopiesOfThemGo() {
    sizes.put(1, 2);
    join("dn1");
    read("dn1", "job1", 100, 101);
    rules = new PathRules(List.of(), List.of(new DataSetId("/data/s1")), List.of());
    master = master(2);
    read("dn1", "");
    read("dn1", "");
    assertThat(disks.get("dn1")).isEmpty();
    read("dn1", "job2", 100);
    assertThat(disks.get("dn1")).isEmpty();
    assertThat(master.view().refusals()).containsEntry(Admission.EXCLUDED, 1L);
  }

  @Test
  void blocksOfAnotherNameNodeAreIgnored() {
    join("dn1");
    SpaceReport space = new SpaceReport(new SpaceShares(10, 0, 0, 1), 0, 0, 0, 0, 0);
    BlockKey foreign = new BlockKey("BP-2", 100, 1, 1);
    MasterReply reply =
        master.report(
            new SlaveReport(
                "dn1", 1, space, List.of(new AccessEvent(foreign, "", false)), List.of(), null, 0));
    assertThat(reply.orders()).isEmpty();
    assertThat(master.view().misses()).isZero();
  }

  @Test
  void aCopyInNobodysBooksIsDropped() {
    sizes.put(1, 50);
    join("dn1");
    disks.get("dn1").add(100L);
    read("dn1", "job1", 100);
    assertThat(disks.get("dn1")).isEmpty();
  }

  @Test
  void refusalsAreCountedByReason() {
    sizes.put(1, 10);
    sizes.put(2, 10);
    join("dn1");
    read("dn1", "job1", 100, 101, 102, 103, 104, 105, 106, 107, 108, 109);
    read("dn1", "job2", 200, 201);
    assertThat(master.view().refusals()).containsExactly(Map.entry(Admission.NOT_RECORDED, 1L));
  }
}
