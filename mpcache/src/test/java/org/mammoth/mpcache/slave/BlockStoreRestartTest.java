// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.mpcache.slave.StoreFixture.bytes;
import static org.mammoth.mpcache.slave.StoreFixture.fill;
import static org.mammoth.mpcache.slave.StoreFixture.key;
import static org.mammoth.mpcache.slave.StoreFixture.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a new store makes of the folders an older one left. */
class BlockStoreRestartTest {

  @TempDir Path folder;
  private StoreFixture fixture;

  @BeforeEach
  void fillSome() {
    fixture = new StoreFixture(folder);
    BlockStore store = fixture.empty();
    for (int id = 1; id <= 6; id++) {
      assertThat(fill(store, key(id, 1000))).isEqualTo(FillResult.FILLED);
    }
  }

  private Path fileOf(long id) throws IOException {
    return fixture.filesOf(folder).stream()
        .filter(file -> file.getFileName().toString().startsWith("blk_" + id + "_"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void copiesAreServedBeforeAndAfterTheyAreVerified() throws InterruptedException {
    BlockStore store = fixture.store();
    List<BlockKey> found = store.recover(key -> true);
    assertThat(found).hasSize(6);
    assertThat(store.inputUsed()).isEqualTo(6000);
    assertThat(read(store, key(1, 1000))).isEqualTo(bytes(key(1, 1000)));
    assertThat(store.verify(key(1, 1000), StoreFixture.UNLIMITED)).isTrue();
    assertThat(read(store, key(1, 1000))).isEqualTo(bytes(key(1, 1000)));
  }

  @Test
  void oneFlippedBitIsFoundAndTheCopyDropped() throws IOException, InterruptedException {
    byte[] content = Files.readAllBytes(fileOf(3));
    content[517] ^= 1;
    Files.write(fileOf(3), content);
    BlockStore store = fixture.store();
    store.recover(key -> true);
    assertThat(store.verify(key(3, 1000), StoreFixture.UNLIMITED)).isFalse();
    assertThat(store.holds(key(3, 1000))).isFalse();
    assertThat(fixture.lost).containsExactly(key(3, 1000));
    assertThat(store.inputUsed()).isEqualTo(5000);
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
  }

  @Test
  void aCopyThatWasCutOrHasGrownIsDropped() throws IOException, InterruptedException {
    Files.write(fileOf(1), new byte[999]);
    Files.write(fileOf(2), new byte[1001]);
    BlockStore store = fixture.store();
    store.recover(key -> true);
    assertThat(store.verify(key(1, 1000), StoreFixture.UNLIMITED)).isFalse();
    assertThat(store.verify(key(2, 1000), StoreFixture.UNLIMITED)).isFalse();
    assertThat(store.keys()).hasSize(4);
  }

  @Test
  void whatIsNoLongerAFinalizedReplicaIsDeletedUnread() throws IOException {
    BlockStore store = fixture.store();
    assertThat(store.recover(key -> key.blockId() != 4)).hasSize(5);
    assertThat(fixture.filesOf(folder)).hasSize(5);
  }

  @Test
  void remainsOfUnfinishedFillsAreSweptAndStrangersLeftAlone() throws IOException {
    Path unfinished = fixture.first.resolve("filling/17.tmp");
    Files.write(unfinished, new byte[100]);
    Path stranger = fixture.first.resolve("blocks/README");
    Files.write(stranger, new byte[1]);
    Path misplaced = fixture.second.resolve("blocks/" + fileOf(5).getFileName());
    Files.move(fileOf(5), misplaced);
    BlockStore store = fixture.store();
    assertThat(store.recover(key -> true)).hasSize(5);
    assertThat(unfinished).doesNotExist();
    assertThat(stranger).exists();
    assertThat(store.holds(key(5, 1000))).isFalse();
  }

  @Test
  void ofTwoCopiesOfABlockOneIsKept() throws IOException {
    Path copy = fileOf(1);
    Path root = copy.startsWith(fixture.first) ? fixture.first : fixture.second;
    Path otherRoot = root == fixture.first ? fixture.second : fixture.first;
    Path twin = otherRoot.resolve(root.relativize(copy));
    Files.createDirectories(twin.getParent());
    Files.copy(copy, twin);
    BlockStore store = fixture.store();
    assertThat(store.recover(key -> true)).hasSize(6);
    assertThat(fixture.filesOf(folder)).hasSize(6);
    assertThat(store.inputUsed()).isEqualTo(6000);
  }

  @Test
  void aDirectoryThatIsDeadAtTheStartIsLeftOut() {
    fixture.files.dead.add(fixture.second);
    BlockStore store = fixture.store();
    assertThat(store.recover(key -> true)).hasSize(3);
    assertThat(store.directories().get(1).healthy()).isFalse();
    assertThat(fill(store, key(20, 1000))).isEqualTo(FillResult.FILLED);
  }

  /** The system opens no folder whose name is longer than 4096 letters; root's neither. */
  @Test
  void aDirectoryWithAFolderThatCannotBeReadIsLeftOutAndTheOtherServes() throws IOException {
    Path outer = deep(fixture.second.resolve("blocks"));
    Path inner = deep(folder.resolve("inner"));
    Path top = folder.resolve("inner");
    Path moved = outer.resolve("inner");
    Files.move(top, moved);
    try {
      BlockStore store = fixture.store();
      assertThat(store.recover(key -> true)).hasSize(3);
      assertThat(store.directories().get(0).healthy()).isTrue();
      assertThat(store.directories().get(1).failure()).contains("too long");
      assertThat(fill(store, key(20, 1000))).isEqualTo(FillResult.FILLED);
    } finally {
      Files.move(moved, top);
      assertThat(inner).exists();
    }
  }

  private static Path deep(Path from) throws IOException {
    Path to = from;
    while (to.toString().length() < 3_000) {
      to = to.resolve("x".repeat(200));
    }
    return Files.createDirectories(to);
  }

  @Test
  void verifyingKeepsToTheBandwidth() throws InterruptedException {
    ManualPace pace = new ManualPace();
    BandwidthLimiter limiter = new BandwidthLimiter(pace, 1000);
    BlockStore store = fixture.store();
    for (BlockKey key : store.recover(key -> true)) {
      store.verify(key, limiter);
    }
    assertThat(pace.nanoTime()).as("5000 bytes before the last 1000").isEqualTo(5_000_000_000L);
  }
}
