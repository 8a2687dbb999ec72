// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.hdfs.replicas.ReplicaSource;
import org.mammoth.hdfs.replicas.Replicas;
import org.mammoth.mpcache.slave.BandwidthLimiter;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.BlockStore;
import org.mammoth.mpcache.slave.FillResult;
import org.mammoth.mpcache.slave.LocalSsdFiles;
import org.mammoth.mpcache.slave.Pace;
import org.mammoth.mpcache.slave.SsdDirectory;

/** Files of checksums that go with copies, and go when they do. */
class TrustedCopiesTest {

  private static final int LENGTH = 10_000;
  private static final int CHUNK = 512;

  @TempDir Path folder;

  private final BlockKey key = new BlockKey("BP-1", 1, 1001, LENGTH);
  private final byte[] bytes = new byte[LENGTH];
  private final CountingFiles files = new CountingFiles();
  private long now;
  private Path sums;
  private BlockStore store;
  private TrustedCopies trusted;
  private Consumer<BlockKey> atEachStep = copy -> {};

  private final Replicas replicas =
      new Replicas() {
        @Override
        public Optional<BlockKey> finalized(String pool, long blockId) {
          return Optional.of(key);
        }

        @Override
        public InputStream data(BlockKey of, long offset) {
          return new ByteArrayInputStream(bytes, (int) offset, LENGTH);
        }

        @Override
        public FileInputStream checksums(BlockKey of) throws IOException {
          return new FileInputStream(sums.toFile());
        }

        @Override
        public Closeable hold(BlockKey of) {
          return () -> {};
        }
      };

  /** An SSD on which there may be no room, that counts how often copies are opened. */
  private static final class CountingFiles extends LocalSsdFiles {
    boolean full;
    int copiesOpened;

    @Override
    public OutputStream create(Path file) throws IOException {
      if (!full) {
        return super.create(file);
      }
      super.create(file).close();
      throw new IOException(file + ": No space left on device");
    }

    @Override
    public FileInputStream open(Path file) throws IOException {
      copiesOpened += file.getFileName().toString().startsWith("blk_") ? 1 : 0;
      return super.open(file);
    }
  }

  @BeforeEach
  void fill() throws IOException {
    new Random(1).nextBytes(bytes);
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
    byte[] all = new byte[(LENGTH + CHUNK - 1) / CHUNK * checksum.getChecksumSize()];
    checksum.calculateChunkedSums(bytes, 0, LENGTH, all, 0);
    ByteArrayOutputStream meta = new ByteArrayOutputStream();
    meta.write(new byte[] {0, 1});
    meta.write(checksum.getHeader());
    meta.write(all);
    sums = Files.write(folder.resolve("meta"), meta.toByteArray());
    store =
        new BlockStore(
            List.of(new SsdDirectory(folder.resolve("ssd"), 1 << 20)),
            files,
            () -> 1 << 20,
            new Departures(copy -> atEachStep.accept(copy), this::left, (copy, why) -> {}),
            directory -> Runnable::run);
    store.recover(copy -> true);
    trusted = new TrustedCopies(store, replicas, copy -> {}, 1_000, () -> now);
    BandwidthLimiter unlimited = new BandwidthLimiter(Pace.ofSystem(), 0);
    assertThat(store.fill(key, new ReplicaSource(key, replicas), unlimited))
        .isEqualTo(FillResult.FILLED);
  }

  private void left(BlockKey copy) {
    trusted.forget(copy);
    atEachStep.accept(copy);
  }

  @Test
  void aCopyThatIsCheckedHasItsChecksumsUntilItLeaves() throws IOException {
    assertThat(trusted.check(key)).isTrue();
    try (FileInputStream kept = trusted.checksums(key).orElseThrow()) {
      assertThat(kept.readAllBytes()).isEqualTo(Files.readAllBytes(sums));
    }
    store.evict(key.pool(), key.blockId());
    assertThat(trusted.checksums(key)).isEmpty();
    assertThat(folder.resolve("ssd/filling")).isEmptyDirectory();
  }

  @Test
  void aCopyThatIsCheckedWhileItLeavesLeavesNothing() {
    atEachStep = copy -> assertThat(trusted.check(copy)).isTrue();
    store.evict(key.pool(), key.blockId());
    assertThat(trusted.checksums(key)).isEmpty();
    assertThat(folder.resolve("ssd/filling")).isEmptyDirectory();
  }

  /** Its reader gets the replica; to read the copy for that once is enough. */
  @Test
  void aCopyWhoseChecksumsFindNoRoomIsNotReadAtEachOpen() throws IOException {
    files.full = true;
    assertThat(trusted.check(key)).isFalse();
    int opened = files.copiesOpened;
    for (int i = 0; i < 5; i++) {
      assertThat(trusted.check(key)).isFalse();
      assertThat(trusted.checksums(key)).isEmpty();
    }
    assertThat(files.copiesOpened).isEqualTo(opened);
    assertThat(folder.resolve("ssd/filling")).isEmptyDirectory();
    files.full = false;
    now += 1_000;
    assertThat(trusted.check(key)).isTrue();
    trusted.checksums(key).orElseThrow().close();
    store.evict(key.pool(), key.blockId());
    assertThat(folder.resolve("ssd/filling")).isEmptyDirectory();
  }
}
