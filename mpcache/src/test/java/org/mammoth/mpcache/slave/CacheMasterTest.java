// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.mpcache.slave.StoreFixture.POOL;
import static org.mammoth.mpcache.slave.StoreFixture.bytes;
import static org.mammoth.mpcache.slave.StoreFixture.key;
import static org.mammoth.mpcache.slave.StoreFixture.source;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mpcache.slave.MasterReply.Evict;
import org.mammoth.mpcache.slave.MasterReply.Fill;
import org.mammoth.mpcache.slave.MasterReply.Order;
import org.mammoth.mpcache.space.SpaceReport;
import org.mammoth.mpcache.space.SpaceShares;

class CacheMasterTest {

  @TempDir Path folder;
  private StoreFixture fixture;
  private BlockStore store;
  private CacheMaster slave;
  private final Deque<Runnable> workers = new ArrayDeque<>();
  private final List<BlockKey> revoked = new ArrayList<>();
  private boolean replicaValid = true;

  @BeforeEach
  void start() {
    fixture = new StoreFixture(folder);
    slave = slave();
    store =
        new BlockStore(
            List.of(new SsdDirectory(fixture.first, 1 << 20)),
            fixture.files,
            () -> 1 << 20,
            slave,
            directory -> Runnable::run);
    slave.start(store, store.recover(key -> true));
  }

  private CacheMaster slave() {
    StoreListener readers =
        new StoreListener() {
          @Override
          public void leaving(BlockKey key) {
            revoked.add(key);
          }

          @Override
          public void left(BlockKey key) {
            assertThat(revoked).contains(key);
          }

          @Override
          public void lost(BlockKey key, String why) {
            revoked.remove(null);
          }
        };
    return new CacheMaster(
        "dn1",
        1,
        () -> new SpaceReport(new SpaceShares(1 << 20, 0, 0, 1), 0, 0, 0, 0, 0),
        key -> source(bytes(key), replicaValid),
        new FillQueue(workers::add, 1, 2),
        StoreFixture.UNLIMITED,
        readers,
        3);
  }

  private boolean obey(long epoch, Order... orders) {
    return slave.obey(new MasterReply(epoch, List.of(orders), false));
  }

  private void work() {
    while (!workers.isEmpty()) {
      workers.poll().run();
    }
  }

  private boolean reads(BlockKey key) {
    try {
      Optional<FileInputStream> copy = slave.read(key, 0, "job_1", true);
      if (copy.isPresent()) {
        try (FileInputStream in = copy.get()) {
          assertThat(in.readAllBytes()).isEqualTo(bytes(key));
        }
      }
      return copy.isPresent();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMissIsReportedFilledOnOrderAndServed() {
    assertThat(reads(key(1, 500))).isFalse();
    assertThat(slave.report().accesses())
        .containsExactly(new AccessEvent(key(1, 500), "job_1", false));
    obey(1, new Fill(key(1, 500)));
    assertThat(reads(key(1, 500))).as("filling runs beside the reader").isFalse();
    work();
    assertThat(reads(key(1, 500))).isTrue();
    assertThat(slave.report().accesses()).extracting(AccessEvent::hit).containsExactly(false, true);
    assertThat(slave.report().accesses()).as("told once").isEmpty();
  }

  @Test
  void aFillWaitsForTheBlocksReaders() {
    Set<BlockKey> read = new HashSet<>(Set.of(key(1, 500), key(2, 500)));
    slave.waitForClients(read::contains);
    obey(1, new Fill(key(1, 500)), new Fill(key(2, 500)));
    slave.tick();
    assertThat(workers).isEmpty();
    assertThat(slave.waitingForClients()).isEqualTo(2);
    read.clear();
    obey(1, new Evict(POOL, 2));
    slave.tick();
    slave.tick();
    assertThat(workers).as("one of them, once; the other was taken back").hasSize(1);
    assertThat(slave.waitingForClients()).isZero();
    work();
    assertThat(reads(key(1, 500))).isTrue();
    assertThat(reads(key(2, 500))).isFalse();
  }

  @Test
  void aFillThatGetsItsThreadLateLooksForReadersAgain() {
    Set<BlockKey> read = new HashSet<>();
    slave.waitForClients(read::contains);
    obey(1, new Fill(key(1, 500)));
    read.add(key(1, 500));
    work();
    assertThat(reads(key(1, 500))).isFalse();
    assertThat(slave.waitingForClients()).isEqualTo(1);
    assertThat(slave.report().gone()).as("it is still to come").isEmpty();
    read.clear();
    slave.tick();
    work();
    assertThat(reads(key(1, 500))).isTrue();
  }

  @Test
  void aBlockThatIsAlwaysReadIsFilledInTheEnd() {
    slave.waitForClients(key -> true);
    obey(1, new Fill(key(1, 500)));
    for (int beat = 1; beat < CacheMaster.LONGEST_WAIT; beat++) {
      slave.tick();
    }
    work();
    assertThat(reads(key(1, 500))).isFalse();
    slave.tick();
    work();
    assertThat(reads(key(1, 500))).isTrue();
    assertThat(slave.waitingForClients()).isZero();
  }

  @Test
  void moreReadsThanBetweenTwoReportsFitAreCountedNotKept() {
    for (int i = 0; i < 5; i++) {
      reads(key(i, 10));
    }
    SlaveReport report = slave.report();
    assertThat(report.accesses()).hasSize(3);
    assertThat(report.droppedAccesses()).isEqualTo(2);
  }

  @Test
  void anEvictionOvertakesTheFillItCancels() {
    obey(1, new Fill(key(1, 500)), new Evict(POOL, 1));
    work();
    assertThat(store.keys()).isEmpty();
    assertThat(slave.report().gone()).as("the master knows").isEmpty();
  }

  @Test
  void anEvictionRevokesDescriptors() {
    obey(1, new Fill(key(1, 500)));
    work();
    obey(1, new Evict(POOL, 1));
    assertThat(revoked).containsExactly(key(1, 500));
    assertThat(reads(key(1, 500))).isFalse();
  }

  @Test
  void whatCouldNotBeFilledIsReported() {
    replicaValid = false;
    obey(1, new Fill(key(1, 500)));
    work();
    assertThat(slave.report().gone()).containsExactly(key(1, 500));
  }

  @Test
  void whatDoesNotFitTheQueueIsReportedAtOnce() {
    obey(1, new Fill(key(1, 5)), new Fill(key(2, 5)), new Fill(key(3, 5)), new Fill(key(4, 5)));
    assertThat(slave.report().gone()).containsExactly(key(4, 5));
  }

  @Test
  void anOlderMasterIsNotObeyed() {
    assertThat(obey(5)).isTrue();
    assertThat(obey(4, new Fill(key(1, 5)))).isFalse();
    work();
    assertThat(store.keys()).isEmpty();
    assertThat(obey(5, new Fill(key(1, 5)))).isTrue();
  }

  @Test
  void theInventoryHoldsWhatIsThereAndWhatIsOnItsWay() {
    obey(1, new Fill(key(1, 5)));
    work();
    obey(1, new Fill(key(2, 5)));
    slave.obey(new MasterReply(2, List.of(), true));
    SlaveReport report = slave.report();
    assertThat(report.inventory()).containsExactlyInAnyOrder(key(1, 5), key(2, 5));
    assertThat(slave.report().inventory()).isNull();
    slave.undelivered(report);
    assertThat(slave.report().inventory()).hasSize(2);
  }

  @Test
  void aLostReportLosesReadsButNotWhatIsGone() {
    replicaValid = false;
    reads(key(9, 5));
    obey(1, new Fill(key(1, 500)));
    work();
    slave.undelivered(slave.report());
    SlaveReport again = slave.report();
    assertThat(again.gone()).containsExactly(key(1, 500));
    assertThat(again.accesses()).isEmpty();
    assertThat(again.droppedAccesses()).isEqualTo(1);
  }

  @Test
  void afterARestartCopiesServeAtOnceAndAreVerifiedBehindFills() throws IOException {
    obey(1, new Fill(key(1, 500)), new Fill(key(2, 500)), new Fill(key(3, 500)));
    work();
    for (Path file : fixture.filesOf(folder)) {
      if (!file.getFileName().toString().startsWith("blk_1_")) {
        Files.write(file, new byte[500]);
      }
    }
    slave = slave();
    BlockStore again = afterARestart();
    slave.start(again, again.recover(key -> true));
    assertThat(reads(key(1, 500))).isTrue();
    obey(1, new Fill(key(4, 500)));
    slave.tick();
    assertThat(workers).as("fills have the only thread").hasSize(1);
    work();
    assertThat(again.keys()).hasSize(4);
    slave.tick();
    work();
    assertThat(again.keys()).containsExactlyInAnyOrder(key(1, 500), key(4, 500));
    assertThat(slave.report().gone()).containsExactlyInAnyOrder(key(2, 500), key(3, 500));
  }

  @Test
  void whatCannotBeVerifiedForAMomentStaysAndIsVerifiedLater() {
    obey(1, new Fill(key(1, 500)), new Fill(key(2, 500)), new Fill(key(3, 500)));
    work();
    BlockStore again = afterARestart();
    List<BlockKey> found = again.recover(key -> true);
    slave.start(again, found);
    fixture.files.noDescriptors = true;
    for (int beat = 0; beat < 5; beat++) {
      slave.tick();
      work();
    }
    assertThat(again.keys()).hasSize(3);
    fixture.files.noDescriptors = false;
    List<Path> verified = new ArrayList<>();
    fixture.files.opened = verified::add;
    slave.tick();
    work();
    assertThat(verified).doesNotHaveDuplicates().hasSize(3);
    assertThat(slave.report().gone()).isEmpty();
  }

  @Test
  void aFillThatComesWhileCopiesAreVerifiedIsNext() {
    obey(1, new Fill(key(1, 500)), new Fill(key(2, 500)), new Fill(key(3, 500)));
    work();
    BlockStore again = afterARestart();
    List<BlockKey> found = again.recover(key -> true);
    List<String> order = new ArrayList<>();
    fixture.files.opened =
        file -> {
          order.add(file.getFileName().toString().replaceAll("_.*_.*|[0-9]+.tmp", ""));
          if (order.size() == 1) {
            obey(1, new Fill(key(4, 500)));
          }
        };
    slave.start(again, found);
    slave.tick();
    work();
    slave.tick();
    work();
    assertThat(again.keys()).hasSize(4);
    assertThat(order).as("one is verified, a new one read back, the others").hasSize(4);
    assertThat(order.get(1)).isEmpty();
  }

  /** A store over what lies in the first directory. */
  private BlockStore afterARestart() {
    return new BlockStore(
        List.of(new SsdDirectory(fixture.first, 1 << 20)),
        fixture.files,
        () -> 1 << 20,
        slave,
        directory -> Runnable::run);
  }
}
