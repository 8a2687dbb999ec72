// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mammoth.engine.config.MergeMode;

class MergeChoiceTest {

  private static final long MIB = 1L << 20;

  private long room = 100 * MIB;

  private MergeChoice auto(int maps) {
    return new MergeChoice(MergeMode.AUTO, maps, () -> room);
  }

  @ParameterizedTest
  @EnumSource(value = MergeMode.class, names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
  void whatWasChosenForTheJobIsDone(MergeMode mode) {
    MergeChoice choice = new MergeChoice(mode, 1000, () -> 0);
    choice.sized(MIB);
    assertThat(choice.leavesAll()).isEqualTo(mode.levitatesAll());
  }

  @Test
  void nothingIsLeftWhileNothingIsKnown() {
    assertThat(auto(1_000_000).leavesAll()).isFalse();
  }

  @Test
  void whatFitsIsTaken() {
    MergeChoice choice = auto(100);
    choice.sized(MIB);
    assertThat(choice.leavesAll()).isFalse();
  }

  @Test
  void whatWillNotFitIsLeft() {
    MergeChoice choice = auto(100);
    choice.sized(MIB);
    choice.sized(MIB + 2);
    assertThat(choice.leavesAll()).isTrue();
    assertThat(choice).hasToString("100 MiB predicted from 2 of 100 segments");
  }

  @Test
  void itGoesOnToLeave() {
    MergeChoice choice = auto(100);
    choice.sized(2 * MIB);
    room = 1000 * MIB;
    choice.sized(0);
    assertThat(choice.leavesAll()).isTrue();
  }

  /** More memory never makes it leave what it would take with less. */
  @Property
  void moreRoomLeavesNoMore(
      @ForAll @IntRange(min = 1, max = 10_000) int maps,
      @ForAll @LongRange(min = 0, max = 1L << 40) long first,
      @ForAll @LongRange(min = 0, max = 1L << 40) long second,
      @ForAll @LongRange(min = 0, max = 1L << 50) long less,
      @ForAll @LongRange(min = 0, max = 1L << 50) long more) {
    MergeChoice narrow = new MergeChoice(MergeMode.AUTO, maps, () -> Math.min(less, more));
    MergeChoice wide = new MergeChoice(MergeMode.AUTO, maps, () -> Math.max(less, more));
    for (MergeChoice each : new MergeChoice[] {narrow, wide}) {
      each.sized(first);
      each.sized(second);
    }
    assertThat(!wide.leavesAll() || narrow.leavesAll()).isTrue();
  }
}
