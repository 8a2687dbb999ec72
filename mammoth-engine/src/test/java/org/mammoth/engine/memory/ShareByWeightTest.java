// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.engine.memory.MemoryFixture.UNIT;
import static org.mammoth.engine.memory.MemoryFixture.owner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.memory.MemoryDecision.Action;

/** Jobs that want more than there is come to hold what their weights say, whoever asked first. */
class ShareByWeightTest {

  private static final int UNITS = 40;

  private final MemoryFixture f = new MemoryFixture(UNITS, 1, ReduceSplit.EVEN);
  private final MapMemory light = f.scheduler.registerMap(owner("light", "m"), 1);
  private final MapMemory heavy = f.scheduler.registerMap(owner("heavy", "m"), 3);
  private final Deque<CacheUnit> ofLight = new ArrayDeque<>();
  private final Deque<CacheUnit> ofHeavy = new ArrayDeque<>();

  private static boolean poll(UnitSource source, Deque<CacheUnit> into) {
    CacheUnit unit = source.poll();
    if (unit != null) {
      into.add(unit);
    }
    return unit != null;
  }

  private static void fill(UnitSource source, Deque<CacheUnit> into) {
    while (poll(source, into)) {
      assertThat(into.size()).isLessThanOrEqualTo(UNITS);
    }
  }

  private void end() {
    ofLight.forEach(light.sort()::give);
    ofHeavy.forEach(heavy.sort()::give);
    light.close();
    heavy.close();
    f.close();
  }

  @Test
  void oneJobAloneTakesAllAndAJobThatWantsNothingHoldsNobodyBack() {
    fill(light.sort(), ofLight);
    assertThat(ofLight).as("all but the other map's minimum").hasSize(UNITS - 1);
    end();
  }

  @Test
  void whatComesFreeGoesToTheJobBelowItsShare() {
    fill(light.sort(), ofLight);
    fill(heavy.sort(), ofHeavy);
    assertThat(ofHeavy).hasSize(1);
    for (int i = 0; i < 10 * UNITS; i++) {
      f.now += 1_000_000;
      // Each finishes a run now and then and begins the next one; the light one asks first.
      Deque<CacheUnit> done = i % 2 == 0 && !ofLight.isEmpty() ? ofLight : ofHeavy;
      (done == ofLight ? light : heavy).sort().give(done.poll());
      poll(light.sort(), ofLight);
      poll(heavy.sort(), ofHeavy);
    }
    assertThat(ofLight.size()).isBetween(UNITS / 4 - 1, UNITS / 4 + 1);
    assertThat(ofHeavy.size()).isGreaterThan(UNITS / 2);
    assertThat(f.scheduler.decisions().recent())
        .filteredOn(decision -> decision.rule() == MemoryRule.SHARE)
        .isNotEmpty()
        .allSatisfy(decision -> assertThat(decision.action()).isEqualTo(Action.REFUSE))
        .allSatisfy(decision -> assertThat(decision.who().job()).isEqualTo("light"));
    end();
  }

  @Test
  void aRefusalIsForgottenAfterAWhile() {
    fill(light.sort(), ofLight);
    fill(heavy.sort(), ofHeavy);
    light.sort().give(ofLight.poll());
    assertThat(light.sort().poll()).isNull();
    f.now += GrantRules.WANTS_NANOS + 1;
    assertThat(poll(light.sort(), ofLight)).isTrue();
    end();
  }

  @Test
  void aRefusedCopyHoldsNoSortBufferBack() {
    JobAccount account = new JobAccount("ann", "j");
    account.refused(BufferKind.SEND, 5);
    assertThat(account.refusedSince(BufferKind.SORT, 0)).isFalse();
    assertThat(account.refusedSince(BufferKind.SEND, 5)).isTrue();
    assertThat(account.refusedSince(BufferKind.SEND, 6)).isFalse();
    end();
  }

  /** A map of the job has ended that needed one unit. */
  private void knowNeeds(String job, double weight) {
    MapMemory ended = f.scheduler.registerMap(owner(job, "ended"), weight);
    ended.sort().give(ended.sort().poll());
    ended.close();
  }

  /** Outputs of the light job fill the pool; those of the heavy one take what is beyond a share. */
  @Test
  void outputsAreDroppedDownToTheShareAndNoFurther() {
    knowNeeds("light", 1);
    knowNeeds("heavy", 3);
    List<CacheFile> outputs = new ArrayList<>();
    long left = 0;
    for (int i = 0; i < 6; i++) {
      CacheFile output = MemoryFixture.fill(light.send(), 6);
      outputs.add(output);
      f.scheduler.register(
          new Revocable() {
            @Override
            public BufferKind kind() {
              return BufferKind.SEND;
            }

            @Override
            public LeaseOwner owner() {
              return MemoryFixture.owner("light", "m");
            }

            @Override
            public long revocableBytes() {
              return output.untakenBytes();
            }

            @Override
            public long revoke(long bytes) {
              return output.releaseUntaken(bytes);
            }
          });
    }
    List<CacheUnit> copies = new ArrayList<>();
    int refusals = 0;
    while (refusals < 3) {
      CacheUnit unit = heavy.send().poll();
      if (unit == null) {
        refusals++;
      } else {
        refusals = 0;
        copies.add(unit);
      }
    }
    for (CacheFile output : outputs) {
      left += output.heldBytes();
    }
    assertThat(left / UNIT).isEqualTo(UNITS / 4);
    assertThat(copies).hasSize(UNITS - UNITS / 4 - 2);
    copies.forEach(heavy.send()::give);
    outputs.forEach(CacheFile::close);
    end();
  }
}
