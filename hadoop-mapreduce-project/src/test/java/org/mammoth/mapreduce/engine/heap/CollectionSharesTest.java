// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CollectionSharesTest {

  private final AtomicLong collected = new AtomicLong(500);
  private final CollectionShares shares = new CollectionShares(collected::get);

  @Test
  void oneThatRunsAlongHasNothingTwice() {
    double reduce = shares.each();
    shares.began();
    double map = shares.each();
    shares.began();
    collected.addAndGet(100);
    assertThat(shares.each() - map).isEqualTo(50);
    shares.ended();
    collected.addAndGet(10);
    assertThat(shares.each() - reduce).isEqualTo(60);
  }

  @Test
  void partsAddUpToWhatPassedWhileAnyRan() {
    Random random = new Random(20261122);
    List<Double> running = new ArrayList<>();
    double parts = 0;
    long passed = 0;
    for (int step = 0; step < 10_000; step++) {
      if (random.nextInt(5) < 3) {
        int ms = random.nextInt(30);
        collected.addAndGet(ms);
        passed += running.isEmpty() ? 0 : ms;
      } else if (running.isEmpty() || random.nextInt(10) < 4) {
        running.add(shares.each());
        shares.began();
      } else {
        parts += shares.each() - running.remove(random.nextInt(running.size()));
        shares.ended();
      }
    }
    for (double began : running) {
      parts += shares.each() - began;
    }
    assertThat(parts).isCloseTo(passed, within(1e-3));
  }
}
