// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;

/** What the master's books cost, measured on the live heap. docs/mpcache.md states the numbers. */
class MasterMemoryTest {

  private static final int BLOCKS = 1_000_000;
  private static final int SETS = 50_000;

  private final AdmissionFacility facility = new AdmissionFacility(10_000_000);
  private final ReplaceArbitrator arbitrator =
      new ReplaceArbitrator(facility, new MpCachePolicy(facility, 1, VictimDistance.LAST_SEEN));

  private static long used() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  @Test
  void aCachedBlockTakesLessThan80Bytes() {
    arbitrator.capacity(0, Long.MAX_VALUE / 4);
    DataSetId set = new DataSetId("/one");
    arbitrator.access(new Access(set, BLOCKS, BLOCKS, true, false, 0, 1, 0));
    long before = used();
    for (int i = 1; i <= BLOCKS; i++) {
      arbitrator.access(new Access(set, BLOCKS, BLOCKS, false, false, i, 1, 0));
    }
    long each = (used() - before) / BLOCKS;
    System.out.println("bytes per cached block: " + each);
    assertThat(arbitrator.copies()).isEqualTo(BLOCKS + 1);
    assertThat(each).isBetween(40L, 80L);
  }

  @Test
  void aDataSetTakesLessThan600Bytes() {
    arbitrator.capacity(0, 0);
    long before = used();
    for (int i = 0; i < SETS; i++) {
      DataSetId set = new DataSetId("/warehouse/team/table/day=" + (1_000_000 + i));
      arbitrator.access(new Access(set, 10, 10, true, false, i, 1, 0));
    }
    long recorded = (used() - before) / SETS;
    System.out.println("bytes per recorded data set: " + recorded);
    assertThat(facility.all()).hasSize(SETS);
    assertThat(recorded).isBetween(100L, 600L);
  }
}
