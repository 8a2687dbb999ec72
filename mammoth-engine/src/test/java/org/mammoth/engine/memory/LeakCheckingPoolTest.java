// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mammoth.engine.config.BufferType;

class LeakCheckingPoolTest {

  @ParameterizedTest
  @EnumSource(BufferType.class)
  void aUnitKeepsWhatWasPutIntoIt(BufferType type) {
    try (LeakCheckingPool pool = new LeakCheckingPool(type, 64, 2)) {
      CacheUnit unit = pool.poll();
      unit.put(3, new byte[] {1, 2, 3, 4}, 1, 2);
      unit.view(5, 2).put((byte) 8).put((byte) 9);
      byte[] back = new byte[4];
      unit.get(3, back, 0, 4);
      assertThat(back).containsExactly(2, 3, 8, 9);
      assertThat(unit.view(3, 4).remaining()).isEqualTo(4);
      assertThatThrownBy(() -> unit.put(63, back, 0, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      pool.give(unit);
    }
  }

  @Test
  void aDoubleGiveIsAnError() {
    LeakCheckingPool pool = new LeakCheckingPool(BufferType.HEAP, 16, 2);
    CacheUnit unit = pool.poll();
    CacheUnit other = pool.poll();
    pool.give(unit);
    assertThatThrownBy(() -> pool.give(unit)).hasMessageContaining("given back twice");
    assertThat(pool.freeUnits()).isEqualTo(1);
    pool.give(other);
    pool.close();
  }

  @Test
  void aForeignUnitIsAnError() {
    LeakCheckingPool pool = new LeakCheckingPool(BufferType.HEAP, 16, 1);
    CacheUnit unit = pool.poll();
    assertThatThrownBy(() -> pool.give(NewUnits.of(BufferType.HEAP, 16)))
        .hasMessageContaining("another pool");
    pool.give(unit);
    pool.close();
  }

  @Test
  void aWriteAfterGivingBackIsAnError() {
    LeakCheckingPool pool = new LeakCheckingPool(BufferType.DIRECT, 16, 1);
    CacheUnit unit = pool.poll();
    pool.give(unit);
    unit.put(15, new byte[] {1}, 0, 1);
    assertThatThrownBy(pool::poll)
        .hasMessageContaining("written after")
        .hasStackTraceContaining("aWriteAfterGivingBackIsAnError");
  }

  @Test
  void aLeakNamesItsBorrower() {
    LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, 16, 2);
    assertThat(pool.poll()).isNotNull();
    assertThatThrownBy(pool::close)
        .hasMessageContaining("1 cache units were never given back")
        .hasMessageContaining("aLeakNamesItsBorrower");
  }

  @Test
  void aPlainPoolLendsEachUnitOnce() {
    CachePool pool = new CachePool(BufferType.DIRECT, 16, 2);
    CacheUnit one = pool.poll();
    CacheUnit two = pool.poll();
    assertThat(one).isNotNull().isNotSameAs(two);
    assertThat(pool.poll()).isNull();
    pool.give(two);
    assertThat(pool.poll()).as("the warm one").isSameAs(two);
    pool.give(one);
    pool.give(two);
    assertThat(pool.freeUnits()).isEqualTo(2);
    assertThatThrownBy(() -> pool.give(one)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new CachePool(BufferType.HEAP, 16, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void unitsThatAreMadeLaterAreLentAndCountedAsOthers() {
    CachePool pool = new CachePool(BufferType.DIRECT, 16, 3);
    assertThat(pool.freeUnits()).isEqualTo(3);
    CacheUnit one = pool.poll();
    assertThat(pool.freeUnits()).isEqualTo(2);
    assertThatThrownBy(
            () -> {
              pool.give(one);
              pool.give(one);
            })
        .hasMessageContaining("lacks none");
    assertThat(pool.poll()).isSameAs(one);
    pool.makeAll();
    pool.makeAll();
    assertThat(pool.freeUnits()).isEqualTo(2);
    assertThat(List.of(pool.poll(), pool.poll())).doesNotContain(one).doesNotHaveDuplicates();
    assertThat(pool.poll()).isNull();
    assertThat(pool.freeUnits()).isZero();
  }
}
