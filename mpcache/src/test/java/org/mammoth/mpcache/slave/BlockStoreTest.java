// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.mpcache.slave.StoreFixture.bytes;
import static org.mammoth.mpcache.slave.StoreFixture.fill;
import static org.mammoth.mpcache.slave.StoreFixture.key;
import static org.mammoth.mpcache.slave.StoreFixture.read;
import static org.mammoth.mpcache.slave.StoreFixture.source;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockStoreTest {

  @TempDir Path folder;
  private StoreFixture fixture;
  private BlockStore store;

  @BeforeEach
  void start() {
    fixture = new StoreFixture(folder);
    store = fixture.empty();
  }

  @Test
  void aFilledBlockIsServedByteForByteFromAnyOffset() throws IOException {
    BlockKey key = key(7, 200_000);
    assertThat(read(store, key)).isNull();
    assertThat(fill(store, key)).isEqualTo(FillResult.FILLED);
    assertThat(read(store, key)).isEqualTo(bytes(key));
    try (FileInputStream in = store.open(key, 199_990).orElseThrow()) {
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes(key), 199_990, 200_000));
    }
    assertThat(store.inputUsed()).isEqualTo(200_000);
    assertThat(fill(store, key)).isEqualTo(FillResult.ALREADY);
  }

  @Test
  void anEmptyBlockIsABlock() {
    assertThat(fill(store, key(7, 0))).isEqualTo(FillResult.FILLED);
    assertThat(read(store, key(7, 0))).isEmpty();
  }

  @Test
  void anotherGenerationStampOrLengthIsAMissAndTheOldCopyGoes() throws IOException {
    BlockKey old = key(7, 1000);
    fill(store, old);
    BlockKey other = new BlockKey(StoreFixture.POOL, 7, 1002, 1000);
    assertThat(store.open(other, 0)).isEmpty();
    assertThat(store.holds(old)).isFalse();
    assertThat(fixture.lost).containsExactly(old);
    assertThat(fixture.leaving).containsExactly(old);
    assertThat(fixture.filesOf(folder)).isEmpty();
    assertThat(fill(store, other)).isEqualTo(FillResult.FILLED);
    assertThat(store.open(old, 0)).as("a late reader of the older state").isEmpty();
    assertThat(store.holds(other)).as("does not cost the newer copy").isTrue();
  }

  @Test
  void aReplicaOfAnotherLengthIsNotPublished() throws IOException {
    BlockKey key = key(7, 1000);
    for (int length : new int[] {999, 1001}) {
      FillResult result = store.fill(key, source(new byte[length], true), StoreFixture.UNLIMITED);
      assertThat(result).isEqualTo(FillResult.STALE);
    }
    assertNothingLeft();
  }

  @Test
  void aReplicaThatChangesMeanwhileIsNotPublished() throws IOException {
    BlockKey key = key(7, 1000);
    assertThat(store.fill(key, source(bytes(key), false), StoreFixture.UNLIMITED))
        .isEqualTo(FillResult.STALE);
    assertNothingLeft();
  }

  @Test
  void aReplicaThatCannotBeReadIsNotTheSsdsFault() throws IOException {
    FillSource broken =
        new FillSource() {
          @Override
          public InputStream open() {
            return new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("checksum error");
              }
            };
          }

          @Override
          public boolean stillValid() {
            return true;
          }
        };
    assertThat(store.fill(key(7, 10), broken, StoreFixture.UNLIMITED))
        .isEqualTo(FillResult.SOURCE_FAILED);
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    assertNothingLeft();
  }

  @Test
  void bytesThatFlipOnTheWayToTheSsdAreNotPublished() throws IOException {
    fixture.files.flipsOnWrite = true;
    assertThat(fill(store, key(7, 5000))).isEqualTo(FillResult.DISK_FAILED);
    assertNothingLeft();
    fixture.files.flipsOnWrite = false;
    assertThat(fill(store, key(7, 5000))).isEqualTo(FillResult.FILLED);
  }

  @Test
  void aFailingWriteOrRenameLeavesNothing() throws IOException {
    fixture.files.writesFail = true;
    assertThat(fill(store, key(7, 5000))).isEqualTo(FillResult.DISK_FAILED);
    fixture.files.writesFail = false;
    fixture.files.renamesFail = true;
    assertThat(fill(store, key(7, 5000))).isEqualTo(FillResult.DISK_FAILED);
    assertThat(store.directories()).as("the probe passed").allMatch(SsdDirectory::healthy);
    assertNothingLeft();
  }

  @Test
  void aFullDeviceRefusesAndStaysInUse() throws IOException {
    fixture.files.full = true;
    assertThat(fill(store, key(7, 10))).isEqualTo(FillResult.NO_ROOM);
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    assertNothingLeft();
    fixture.files.full = false;
    assertThat(fill(store, key(7, 10))).isEqualTo(FillResult.FILLED);
  }

  /** The device says that it has bytes: its user may have no more, or no more files. */
  @ParameterizedTest
  @ValueSource(strings = {"Disk quota exceeded", "No space left on device"})
  void aQuotaAndALackOfInodesCostNothing(String said) throws IOException {
    fill(store, key(1, 1000));
    fixture.files.refusals.put(folder, said);
    assertThat(fill(store, key(7, 10))).isEqualTo(FillResult.NO_ROOM);
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    assertThat(read(store, key(1, 1000))).isEqualTo(bytes(key(1, 1000)));
    assertThat(fixture.filesOf(folder)).hasSize(1);
    BlockStore restarted = fixture.empty();
    assertThat(restarted.directories()).allMatch(SsdDirectory::healthy);
    assertThat(restarted.keys()).containsExactly(key(1, 1000));
    fixture.files.refusals.clear();
    assertThat(fill(restarted, key(7, 10))).isEqualTo(FillResult.FILLED);
  }

  @Test
  void whatGoesWithACopyIsKeptBesideItOrWhereThereIsRoom() throws IOException {
    fill(store, key(1, 1000));
    fill(store, key(2, 1000));
    for (Path full : List.of(fixture.first, fixture.second)) {
      fixture.files.refusals.put(full, "No space left on device");
      Path other = full.equals(fixture.first) ? fixture.second : fixture.first;
      for (int id = 1; id <= 2; id++) {
        Path kept = store.keep(key(id, 1000), new byte[10]);
        assertThat(kept).startsWith(other);
        store.unkeep(kept);
      }
      fixture.files.refusals.clear();
    }
    assertThat(store.keep(key(1, 1000), new byte[10]).getParent().getParent())
        .isNotEqualTo(store.keep(key(2, 1000), new byte[10]).getParent().getParent());
    fixture.files.refusals.put(folder, "No space left on device");
    assertThatThrownBy(() -> store.keep(key(1, 1000), new byte[10]))
        .isInstanceOf(IOException.class);
    assertThat(fixture.filesOf(folder)).as("two copies, and two that were kept").hasSize(4);
  }

  @Test
  void aFillThatRunsOutOfMemoryGivesItsRoomBack() throws IOException {
    FillSource large =
        new FillSource() {
          @Override
          public InputStream open() {
            return new InputStream() {
              @Override
              public int read() {
                throw new OutOfMemoryError("no direct buffer");
              }
            };
          }

          @Override
          public boolean stillValid() {
            return true;
          }
        };
    assertThatThrownBy(() -> store.fill(key(7, 10), large, StoreFixture.UNLIMITED))
        .isInstanceOf(OutOfMemoryError.class);
    assertNothingLeft();
    assertThat(fill(store, key(7, 10))).isEqualTo(FillResult.FILLED);
  }

  @Test
  void theInputCacheAndEachDirectoryHaveBounds() {
    fixture.inputCapacity = 1000;
    assertThat(fill(store, key(1, 1000))).isEqualTo(FillResult.FILLED);
    assertThat(fill(store, key(2, 1))).isEqualTo(FillResult.NO_ROOM);
    fixture.inputCapacity = 1 << 30;
    assertThat(fill(store, key(3, 1_100_000)))
        .as("none is that large")
        .isEqualTo(FillResult.NO_ROOM);
    assertThat(store.inputUsed()).isEqualTo(1000);
  }

  @Test
  void copiesSpreadOverTheDirectories() throws IOException {
    for (int id = 0; id < 10; id++) {
      fill(store, key(id, 100_000));
    }
    assertThat(fixture.filesOf(fixture.first)).hasSize(5);
    assertThat(fixture.filesOf(fixture.second)).hasSize(5);
  }

  @Test
  void aDirectoryThatFailsIsQuarantinedAndTheOtherGoesOn() {
    for (int id = 0; id < 10; id++) {
      fill(store, key(id, 1000));
    }
    fixture.files.dead.add(fixture.first);
    int served = 0;
    for (int id = 0; id < 10; id++) {
      served += read(store, key(id, 1000)) == null ? 0 : 1;
    }
    assertThat(served).isEqualTo(5);
    assertThat(fixture.lost).hasSize(5);
    assertThat(store.inputUsed()).isEqualTo(5000);
    SsdDirectory failed = store.directories().get(0);
    assertThat(failed.healthy()).isFalse();
    assertThat(failed.failure()).contains("Input/output error");
    assertThat(failed.capacity()).isZero();
    for (int id = 10; id < 20; id++) {
      assertThat(fill(store, key(id, 1000))).isEqualTo(FillResult.FILLED);
    }
  }

  @Test
  void oneFileThatIsGoneCostsOnlyItself() throws IOException {
    fill(store, key(1, 1000));
    fill(store, key(2, 1000));
    for (Path file : fixture.filesOf(folder)) {
      if (file.getFileName().toString().startsWith("blk_1_")) {
        Files.delete(file);
      }
    }
    assertThat(read(store, key(1, 1000))).isNull();
    assertThat(fixture.lost).containsExactly(key(1, 1000));
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    assertThat(read(store, key(2, 1000))).isNotNull();
  }

  @Test
  void aProcessWithoutDescriptorsMissesAndBlamesNoSsd() throws Exception {
    BandwidthLimiter unlimited = new BandwidthLimiter(Pace.ofSystem(), 0);
    fill(store, key(1, 1000));
    fixture.files.noDescriptors = true;
    assertThat(read(store, key(1, 1000))).isNull();
    assertThat(fill(store, key(2, 1000))).isNotEqualTo(FillResult.FILLED);
    assertThat(store.verify(key(1, 1000), unlimited)).isFalse();
    fixture.files.noDescriptors = false;
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    assertThat(store.verify(key(1, 1000), unlimited)).isTrue();
    assertThat(read(store, key(1, 1000))).isEqualTo(bytes(key(1, 1000)));
    assertThat(fixture.lost).isEmpty();
  }

  @Test
  void aReaderThatIsInterruptedBlamesNoSsd() {
    fill(store, key(1, 1000));
    Thread.currentThread().interrupt();
    try {
      assertThat(store.open(key(1, 1000), 7)).isEmpty();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(read(store, key(1, 1000))).isEqualTo(bytes(key(1, 1000)));
    assertThat(fixture.lost).isEmpty();
  }

  @Test
  void twoErrorsAtOnceDoNotProbeInEachOthersFile() throws IOException {
    assertThat(fill(store, key(1, 500_000))).as("so that the others go elsewhere").isNotNull();
    fixture.files.renamesFail = true;
    fixture.files.beforeProbeIsRead = () -> fill(store, key(8, 1000));
    assertThat(fill(store, key(7, 1000))).isEqualTo(FillResult.DISK_FAILED);
    assertThat(fixture.files.beforeProbeIsRead).as("to run while the other probes").isNull();
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    assertThat(fixture.filesOf(folder)).hasSize(1);
  }

  @Test
  void nobodyElseReadsCopiesOrWhatGoesWithThem() throws IOException {
    fill(store, key(1, 1000));
    store.keep(key(1, 1000), new byte[10]);
    assertThat(fixture.filesOf(folder)).hasSize(2);
    assertClosed();
    for (String name : new String[] {"blocks", "filling"}) {
      Files.setPosixFilePermissions(
          fixture.first.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    fixture.empty();
    assertClosed();
    assertThat(Files.getPosixFilePermissions(fixture.first))
        .as("where others have folders of their own")
        .isEqualTo(Files.getPosixFilePermissions(Files.createDirectory(folder.resolve("other"))));
  }

  private void assertClosed() throws IOException {
    for (Path ssd : new Path[] {fixture.first, fixture.second}) {
      for (String name : new String[] {"blocks", "filling"}) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ssd.resolve(name))))
            .isEqualTo("rwx------");
      }
    }
    for (Path file : fixture.filesOf(folder)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void evictionRevokesFirstAndFreesTheSpace() throws IOException {
    fill(store, key(1, 1000));
    assertThat(store.evict(StoreFixture.POOL, 1)).isTrue();
    assertThat(store.evict(StoreFixture.POOL, 1)).isFalse();
    assertThat(fixture.leaving).containsExactly(key(1, 1000));
    assertThat(fixture.lost).as("it was ordered").isEmpty();
    assertNothingLeft();
  }

  @Test
  void aPoolIdCannotLeaveTheDirectory() {
    for (String pool : new String[] {"..", "a/b", "", "BP..x", "-"}) {
      assertThatThrownBy(() -> new BlockKey(pool, 1, 1, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private void assertNothingLeft() throws IOException {
    assertThat(fixture.filesOf(folder)).isEmpty();
    assertThat(store.inputUsed()).isZero();
    assertThat(store.directories()).allMatch(directory -> directory.used() == 0);
  }
}
