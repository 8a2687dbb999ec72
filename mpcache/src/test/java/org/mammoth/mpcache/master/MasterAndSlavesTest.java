// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mpcache.config.PathRules;
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
import org.mammoth.mpcache.slave.LocalizedSpace;
import org.mammoth.mpcache.slave.Pace;
import org.mammoth.mpcache.slave.SlaveReport;
import org.mammoth.mpcache.slave.SsdDirectory;
import org.mammoth.mpcache.slave.StoreListener;
import org.mammoth.mpcache.space.DynamicSpaceManager;
import org.mammoth.mpcache.space.DynamicSpaceTuner;
import org.mammoth.mpcache.space.SpaceShares;

/**
 * The parts together, on real files: reads, appends, fail-overs of the master, restarts of slaves,
 * lost reports, localized data. No wrong byte is ever served, and once things calm down the
 * master's books are what is on the disks.
 */
class MasterAndSlavesTest {

  private static final String POOL = "BP-1";
  private static final int SETS = 12;
  private static final int BLOCK = 200;

  @TempDir Path folder;

  private final Random random = new Random(4);
  private final long[] stamps = new long[SETS * 100];
  private final Map<Integer, Slave> slaves = new HashMap<>();
  private long epoch;
  private MasterState master;

  /** One data node: everything real but the threads, which are a list. */
  private final class Slave implements StoreListener {
    final int number;
    final int incarnation;
    final Deque<Runnable> workers = new ArrayDeque<>();
    final CacheMaster cacheMaster;
    final DynamicSpaceTuner tuner;
    final LocalizedSpace.Tenant engine;
    final Path localized;
    final BlockStore store;

    Slave(int number, int incarnation) {
      this.number = number;
      this.incarnation = incarnation;
      SsdDirectory directory = new SsdDirectory(folder.resolve("dn" + number), 40 * BLOCK);
      BandwidthLimiter unlimited = new BandwidthLimiter(Pace.ofSystem(), 0);
      BlockStore[] later = new BlockStore[1];
      tuner =
          new DynamicSpaceTuner(
              SpaceShares.of(directory.capacity(), 0.4, 0.2, BLOCK),
              0.5,
              () -> later[0].inputUsed(),
              this::makeRoom);
      cacheMaster =
          new CacheMaster(
              "dn" + number,
              incarnation,
              tuner::report,
              MasterAndSlavesTest.this::source,
              new FillQueue(workers::add, 1, 50),
              unlimited,
              this,
              1000);
      store =
          new BlockStore(
              List.of(directory),
              new LocalSsdFiles(),
              tuner::inputCapacity,
              cacheMaster,
              each -> Runnable::run);
      later[0] = store;
      localized = LocalizedSpace.folder(directory.path());
      assertThat(localized.toFile().isDirectory() || localized.toFile().mkdirs()).isTrue();
      engine = new LocalizedSpace(tuner, store.directories(), new LocalSsdFiles()).open();
      cacheMaster.start(store, store.recover(key -> key.equals(key(key.blockId()))));
    }

    private void makeRoom(long bytes) {
      cacheMaster.obey(master.makeRoom("dn" + number, bytes));
    }

    void heartbeat() {
      cacheMaster.obey(master.report(cacheMaster.report()));
    }

    /** The report, or the answer to it, is lost; the slave cannot know which. */
    void lostHeartbeat(boolean arrives) {
      SlaveReport report = cacheMaster.report();
      if (arrives) {
        master.report(report);
      }
      cacheMaster.undelivered(report);
    }

    void work() {
      while (!workers.isEmpty()) {
        workers.poll().run();
      }
    }

    @Override
    public void leaving(BlockKey key) {
      assertThat(key.pool()).isEqualTo(POOL);
    }

    @Override
    public void left(BlockKey key) {
      assertThat(store.holds(key)).isFalse();
    }

    @Override
    public void lost(BlockKey key, String why) {
      assertThat(why).isNotEmpty();
    }
  }

  private BlockKey key(long block) {
    return new BlockKey(POOL, block, stamps[(int) block], BLOCK);
  }

  private static byte[] bytes(BlockKey key) {
    byte[] bytes = new byte[BLOCK];
    new Random(key.blockId() * 7919 + key.generationStamp()).nextBytes(bytes);
    return bytes;
  }

  private FillSource source(BlockKey key) {
    return new FillSource() {
      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes(key(key.blockId())));
      }

      @Override
      public boolean stillValid() {
        return key.equals(key(key.blockId()));
      }
    };
  }

  private static int blocksOf(int set) {
    return 3 + 2 * set;
  }

  private MasterState newMaster() {
    AdmissionFacility facility = new AdmissionFacility(1000);
    return new MasterState(
        ++epoch,
        POOL,
        new ReplaceArbitrator(facility, new MpCachePolicy(facility, 1, VictimDistance.AGED)),
        new DynamicSpaceManager(10, 10),
        (key, reader) -> {
          int set = (int) (key.blockId() / 100);
          return Optional.of(
              new BlockResolver.Located(
                  new DataSetId("/s" + set), blocksOf(set), (long) blocksOf(set) * BLOCK));
        },
        PathRules.ALL,
        () -> 0,
        1000);
  }

  private int job(int number) throws IOException {
    int hits = 0;
    int set = (int) (SETS * Math.pow(random.nextDouble(), 2));
    for (int i = 0; i < blocksOf(set); i++) {
      long block = set * 100L + i;
      Slave slave = slaves.get((set + i) % slaves.size());
      BlockKey key = key(block);
      Optional<FileInputStream> copy = slave.cacheMaster.read(key, 0, "job" + number, true);
      if (copy.isPresent()) {
        try (FileInputStream in = copy.get()) {
          assertThat(in.readAllBytes()).isEqualTo(bytes(key));
          hits++;
        }
      }
    }
    return hits;
  }

  private void disturb() {
    Slave slave = slaves.get(random.nextInt(slaves.size()));
    switch (random.nextInt(14)) {
      case 0 -> master = newMaster();
      case 1 -> {
        slaves.put(slave.number, new Slave(slave.number, slave.incarnation + 1));
      }
      case 2, 3 -> {
        int set = random.nextInt(SETS);
        stamps[set * 100 + random.nextInt(blocksOf(set))]++;
      }
      case 4, 5, 6 -> slave.engine.take(slave.localized, 1 + random.nextInt(5 * BLOCK));
      case 7, 8, 9 -> slave.engine.close();
      case 10 -> slave.cacheMaster.drop(key(random.nextInt(SETS) * 100L));
      default -> slave.lostHeartbeat(random.nextBoolean());
    }
  }

  @Test
  void booksAndDisksAgreeAndNoWrongByteIsServed() throws IOException {
    for (int number = 0; number < 3; number++) {
      slaves.put(number, new Slave(number, 1));
    }
    master = newMaster();
    int hits = 0;
    for (int number = 0; number < 1500; number++) {
      hits += job(number);
      if (random.nextInt(5) == 0) {
        disturb();
      }
      if (number % 100 == 99) {
        // The master has booked orders nobody got.
        slaves.values().forEach(slave -> slave.lostHeartbeat(true));
      }
      for (Slave slave : slaves.values()) {
        if (random.nextInt(3) > 0) {
          slave.work();
        }
        slave.heartbeat();
      }
      if (number % 100 == 99) {
        calmDown();
        compare();
      }
    }
    assertThat(hits).as("of some 15000 reads").isGreaterThan(1500);
  }

  private void calmDown() {
    // Copies of older states are dropped when their block is read.
    for (int set = 0; set < SETS; set++) {
      for (int i = 0; i < blocksOf(set); i++) {
        for (Slave slave : slaves.values()) {
          slave.store.open(key(set * 100L + i), 0).ifPresent(MasterAndSlavesTest::close);
        }
      }
    }
    for (int round = 0; round < 4; round++) {
      for (Slave slave : slaves.values()) {
        slave.work();
        slave.heartbeat();
      }
    }
  }

  private static void close(FileInputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void compare() throws IOException {
    MasterView view = master.view();
    long onDisk = slaves.values().stream().mapToLong(slave -> slave.store.inputUsed()).sum();
    long booked = view.sets().stream().mapToLong(MasterView.SetView::copyBytes).sum();
    assertThat(booked + view.markedBytes()).isEqualTo(onDisk);
    Map<String, Set<Long>> present = new HashMap<>();
    for (Slave slave : slaves.values()) {
      assertThat(slave.store.inputUsed()).isLessThanOrEqualTo(slave.tuner.inputCapacity());
      for (BlockKey key : slave.store.keys()) {
        present
            .computeIfAbsent("/s" + key.blockId() / 100, set -> new HashSet<>())
            .add(key.blockId());
      }
    }
    for (MasterView.SetView set : view.sets()) {
      assertThat(present.get(set.path()))
          .as(set.path())
          .hasSizeGreaterThanOrEqualTo(set.cachedBlocks());
    }
    assertThat(countFiles()).isEqualTo(onDisk / BLOCK);
  }

  private long countFiles() throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).count();
    }
  }
}
