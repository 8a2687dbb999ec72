// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PoolsTest {

  private long now = Long.MAX_VALUE - 50;
  private final Pools pools = new Pools(() -> now, 100);

  @Test
  void aPoolThatHasNotComeIsWaitedFor() {
    now += 99;
    assertThat(pools.isSettled("BP-1")).isFalse();
    pools.added("BP-1");
    assertThat(pools.isSettled("BP-1")).isTrue();
    assertThat(pools.isSettled("BP-2")).isFalse();
    now += 1;
    assertThat(pools.isSettled("BP-2")).as("stays away for good").isTrue();
  }

  @Test
  void aPoolThatLeavesMayComeAgain() {
    now += 1_000;
    pools.added("BP-1");
    pools.left("BP-1");
    now += 99;
    assertThat(pools.isSettled("BP-1")).isFalse();
    now += 1;
    assertThat(pools.isSettled("BP-1")).isTrue();
    pools.left("BP-1");
    pools.added("BP-1");
    assertThat(pools.isSettled("BP-1")).isTrue();
  }
}
