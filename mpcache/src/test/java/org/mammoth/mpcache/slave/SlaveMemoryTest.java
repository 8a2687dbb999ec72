// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a slave's index costs per copy; the files exist in name only. */
class SlaveMemoryTest {

  private static final int COPIES = 200_000;

  private static long used() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  @Test
  void aCopyTakesLessThan300Bytes(@org.junit.jupiter.api.io.TempDir Path folder) {
    SsdDirectory directory = new SsdDirectory(folder, Long.MAX_VALUE / 2);
    SsdFiles names =
        new LocalSsdFiles() {
          @Override
          public List<Path> list(Path below) throws IOException {
            if (!below.equals(BlockLayout.blocks(folder))) {
              return super.list(below);
            }
            List<Path> files = new ArrayList<>();
            for (int i = 0; i < COPIES; i++) {
              BlockKey key = new BlockKey(StoreFixture.POOL, 1_073_741_824L + i, 1000 + i, 1 << 27);
              files.add(BlockLayout.file(folder, key, i, i));
            }
            return files;
          }
        };
    BlockStore store =
        new BlockStore(
            List.of(directory),
            names,
            () -> Long.MAX_VALUE,
            new StoreFixture(folder),
            each -> Runnable::run);
    long before = used();
    assertThat(store.recover(key -> true)).hasSize(COPIES);
    long each = (used() - before) / COPIES;
    System.out.println("bytes per copy in a slave's index: " + each);
    assertThat(store.keys()).hasSize(COPIES);
    assertThat(each).isBetween(100L, 300L);
  }
}
