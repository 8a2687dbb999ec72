// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mpcache.config.PathRules;
import org.mammoth.mpcache.master.BlockResolver;
import org.mammoth.mpcache.master.MasterState;
import org.mammoth.mpcache.master.MasterView;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.policy.MpCachePolicy;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;
import org.mammoth.mpcache.policy.ReplaceArbitrator;
import org.mammoth.mpcache.slave.BandwidthLimiter;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.BlockStore;
import org.mammoth.mpcache.slave.CacheMaster;
import org.mammoth.mpcache.slave.FillQueue;
import org.mammoth.mpcache.slave.FillSource;
import org.mammoth.mpcache.slave.LocalSsdFiles;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.Pace;
import org.mammoth.mpcache.slave.SlaveReport;
import org.mammoth.mpcache.slave.SsdDirectory;
import org.mammoth.mpcache.space.DynamicSpaceManager;
import org.mammoth.mpcache.space.SpaceReport;
import org.mammoth.mpcache.space.SpaceShares;

/** Whatever is lost or overtaken on the way, a master's books become what is on the SSD. */
class HeartbeatTest {

  private static final int BLOCK = 1_000;
  private static final int BLOCKS = 10;

  @TempDir private Path folder;

  private final Deque<Runnable> workers = new ArrayDeque<>();
  private final MasterState master = master();
  private final Way way = new Way();
  private CacheMaster cache;
  private BlockStore store;
  private Heartbeat heartbeat;

  /** To a master, which may carry out what it is asked and not be heard. */
  private final class Way implements Master {
    boolean losesRoom;

    /** Run once, while a report is on its way there. */
    Runnable there = () -> {};

    /** Run once, while its answer is on the way back. */
    Runnable back = () -> {};

    @Override
    public MasterReply report(long epoch, SlaveReport report) {
      Runnable first = there;
      Runnable second = back;
      there = () -> {};
      back = () -> {};
      first.run();
      MasterReply answer = master.report(report);
      second.run();
      return answer;
    }

    @Override
    public MasterReply makeRoom(String slave, long bytes) throws IOException {
      MasterReply answer = master.makeRoom(slave, bytes);
      if (losesRoom) {
        throw new IOException("no answer for 10000 ms");
      }
      return answer;
    }

    @Override
    public void close() {}
  }

  private static MasterState master() {
    AdmissionFacility facility = new AdmissionFacility(1000);
    return new MasterState(
        1,
        "BP-1",
        new ReplaceArbitrator(facility, new MpCachePolicy(facility, 1, VictimDistance.AGED)),
        new DynamicSpaceManager(10, 10),
        (key, reader) ->
            Optional.of(
                new BlockResolver.Located(new DataSetId("/s"), BLOCKS, (long) BLOCKS * BLOCK)),
        PathRules.ALL,
        () -> 0,
        1000);
  }

  @BeforeEach
  void fill() {
    BandwidthLimiter unlimited = new BandwidthLimiter(Pace.ofSystem(), 0);
    cache =
        new CacheMaster(
            "dn1",
            1,
            () -> new SpaceReport(new SpaceShares(BLOCKS * BLOCK, 0, 0, 1), 0, 0, 0, 0, 0),
            key -> source(),
            new FillQueue(workers::add, 1, 50),
            unlimited,
            new Departures(key -> {}, key -> {}, (key, why) -> {}),
            1000);
    store =
        new BlockStore(
            List.of(new SsdDirectory(folder.resolve("ssd"), BLOCKS * BLOCK)),
            new LocalSsdFiles(),
            () -> BLOCKS * BLOCK,
            cache,
            directory -> Runnable::run);
    cache.start(store, store.recover(key -> true));
    heartbeat = new Heartbeat("dn1", cache, List.of(way));
    beat();
    beat();
    read(0, BLOCKS);
    beat();
    beat();
    assertThat(store.inputUsed()).isEqualTo(BLOCKS * BLOCK);
    assertBooksAreRight();
  }

  private static FillSource source() {
    return new FillSource() {
      @Override
      public InputStream open() {
        return new ByteArrayInputStream(new byte[BLOCK]);
      }

      @Override
      public boolean stillValid() {
        return true;
      }
    };
  }

  private static BlockKey key(long block) {
    return new BlockKey("BP-1", block, 1, BLOCK);
  }

  private void read(int from, int to) {
    for (int block = from; block < to; block++) {
      cache.read(key(block), 0, "job", true);
    }
  }

  private void beat() {
    heartbeat.beat();
    while (!workers.isEmpty()) {
      workers.poll().run();
    }
  }

  private void assertBooksAreRight() {
    MasterView books = master.view();
    long booked = books.sets().stream().mapToLong(MasterView.SetView::copyBytes).sum();
    assertThat(booked + books.markedBytes()).as("in the books").isEqualTo(store.inputUsed());
  }

  /** The master answers, and the slave does not hear it. */
  @Test
  void roomThatIsMadeAndNotHeardOf() {
    way.losesRoom = true;
    assertThat(heartbeat.makeRoom(3 * BLOCK)).isFalse();
    way.losesRoom = false;
    beat();
    assertBooksAreRight();
  }

  @Test
  void roomThatIsMadeWhileAnInventoryIsOnItsWay() {
    cache.sendInventory();
    way.there = () -> assertThat(heartbeat.makeRoom(3 * BLOCK)).isTrue();
    beat();
    assertThat(store.inputUsed()).isLessThanOrEqualTo(7 * BLOCK);
    beat();
    assertBooksAreRight();
  }

  @Test
  void roomThatIsMadeWhileAnOrderIsOnItsWay() {
    cache.drop(key(0));
    beat();
    read(0, 1);
    way.back = () -> assertThat(heartbeat.makeRoom(BLOCKS * BLOCK)).isTrue();
    beat();
    assertThat(store.holds(key(0))).as("filled after the order to drop it").isTrue();
    beat();
    assertBooksAreRight();
  }

  @Test
  void withoutAnythingOfThatNoInventoryIsSent() {
    assertThat(heartbeat.makeRoom(3 * BLOCK)).isTrue();
    beat();
    assertThat(cache.report().inventory()).isNull();
    assertBooksAreRight();
  }
}
