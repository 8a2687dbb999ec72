// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.engine.memory.MemoryFixture.UNIT;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.engine.config.ReduceSplit;

/**
 * A node with random jobs, maps, reduces, kills, failures and a slow disk, driven step by step by
 * one seed. It keeps its own books and compares the scheduler's with them.
 */
final class SimulatedNode implements AutoCloseable {

  private static final int MOST_JOBS = 4;
  private static final int MOST_REDUCES = 6;

  private static final class SimulatedMap {
    final MapMemory memory;
    final SimulatedBuffer sort;
    final SimulatedBuffer send;
    long peak;

    SimulatedMap(MapMemory memory, Deque<SimulatedBuffer.Spill> disk) {
      this.memory = memory;
      this.sort = new SimulatedBuffer(memory.sort(), disk);
      this.send = new SimulatedBuffer(memory.send(), disk);
    }
  }

  private static final class SimulatedReduce {
    final ReduceMemory memory;
    final SimulatedBuffer receive;

    SimulatedReduce(ReduceMemory memory, Deque<SimulatedBuffer.Spill> disk) {
      this.memory = memory;
      this.receive = new SimulatedBuffer(memory.receive(), disk);
    }
  }

  private final Random random;
  private final int guaranteed;
  private final MemoryFixture f;
  private final Deque<SimulatedBuffer.Spill> disk = new ArrayDeque<>();
  private final List<SimulatedMap> maps = new ArrayList<>();
  private final List<SimulatedReduce> reduces = new ArrayList<>();

  /** Outputs of maps that have ended. */
  private final List<SimulatedBuffer> outputs = new ArrayList<>();

  private final Map<String, Double> weights = new LinkedHashMap<>();
  private final Map<String, Long> peaks = new HashMap<>();
  private final int mostMaps;
  private int names;
  private long step;
  private final Map<BufferKind, Long> longestWaits;

  /**
   * A node without tasks.
   *
   * @param longestWaits where the longest wait of each kind is noted, in steps
   */
  SimulatedNode(Random random, Map<BufferKind, Long> longestWaits) {
    this.random = random;
    this.longestWaits = longestWaits;
    this.guaranteed = 1 + random.nextInt(4);
    int units = guaranteed * (2 + random.nextInt(6)) + random.nextInt(40);
    this.mostMaps = Math.min(8, units / guaranteed);
    ReduceSplit split = random.nextBoolean() ? ReduceSplit.EVEN : ReduceSplit.NEED;
    this.f = new MemoryFixture(units, guaranteed, split);
  }

  /** Adds the rules of the decisions still in the ring. */
  void countRules(Map<String, Long> rules) {
    for (MemoryDecision decision : f.scheduler.decisions().recent()) {
      rules.merge(decision.action() + " " + decision.rule(), 1L, Long::sum);
    }
  }

  void step() {
    step++;
    f.now += 1_000_000;
    switch (random.nextInt(16)) {
      case 0 -> start();
      case 1 -> disturb();
      case 2, 3, 4 -> spill();
      case 5 -> f.scheduler.balance();
      case 6, 7 -> fetch();
      case 8, 9, 10 -> reduceWorks(random.nextInt(6) == 0);
      default -> mapWorks(random.nextInt(12) == 0);
    }
    check();
  }

  private void start() {
    if (weights.size() < MOST_JOBS && (weights.isEmpty() || random.nextInt(4) == 0)) {
      weights.put("job" + names++, 1.0 + random.nextInt(4));
    }
    String job = pick(new ArrayList<>(weights.keySet()));
    LeaseOwner owner = new LeaseOwner("user" + job.length() % 2, job, "attempt" + names++);
    if (random.nextBoolean() && maps.size() < mostMaps) {
      SimulatedMap map = new SimulatedMap(f.scheduler.registerMap(owner, weights.get(job)), disk);
      f.scheduler.register(map.sort);
      f.scheduler.register(map.send);
      maps.add(map);
    } else if (reduces.size() < MOST_REDUCES) {
      SimulatedReduce reduce =
          new SimulatedReduce(f.scheduler.registerReduce(owner, weights.get(job)), disk);
      f.scheduler.register(reduce.receive);
      reduces.add(reduce);
    }
  }

  /** Somebody is killed or fails, a reduce changes its mind, a job ends, other users come or go. */
  private void disturb() {
    int what = random.nextInt(11);
    if (what < 4 && !maps.isEmpty()) {
      SimulatedMap map = maps.remove(random.nextInt(maps.size()));
      notePeak(map);
      map.memory.abort();
      map.sort.end();
      map.send.end();
    } else if (what < 6 && !reduces.isEmpty()) {
      endReduce(reduces.remove(random.nextInt(reduces.size())));
    } else if (what < 9 && !reduces.isEmpty()) {
      pick(reduces).memory.desire((long) random.nextInt(60) * UNIT);
    } else if (what == 9 && !weights.isEmpty()) {
      endJob(pick(new ArrayList<>(weights.keySet())));
    } else if (what == 10) {
      int least = guaranteed * mostMaps;
      f.scheduler.limitTo(least + random.nextInt(f.pool.units() - least + 1));
    }
  }

  private void endJob(String job) {
    f.scheduler.endJob(job);
    maps.removeIf(
        map -> {
          boolean mine = map.sort.owner().job().equals(job);
          if (mine) {
            map.sort.end();
            map.send.end();
          }
          return mine;
        });
    reduces.removeIf(
        reduce -> {
          boolean mine = reduce.receive.owner().job().equals(job);
          if (mine) {
            reduce.receive.end();
          }
          return mine;
        });
    outputs.removeIf(
        output -> {
          boolean mine = output.owner().job().equals(job);
          if (mine) {
            output.end();
          }
          return mine;
        });
    weights.remove(job);
    peaks.remove(job);
  }

  private void endReduce(SimulatedReduce reduce) {
    reduce.memory.close();
    reduce.receive.end();
  }

  private void spill() {
    for (int i = random.nextInt(3); i >= 0 && !disk.isEmpty(); i--) {
      SimulatedBuffer.Spill spill = disk.poll();
      spill.buffer().source.give(spill.unit());
    }
  }

  private void fetch() {
    if (!outputs.isEmpty()) {
      SimulatedBuffer output = pick(outputs);
      if (!output.giveOne()) {
        outputs.remove(output);
      }
    }
  }

  private void mapWorks(boolean finish) {
    if (maps.isEmpty()) {
      return;
    }
    SimulatedMap map = pick(maps);
    map.sort.arrived();
    map.send.arrived();
    notePeak(map);
    if (map.sort.waits() || map.send.waits()) {
      return;
    }
    if (finish) {
      endMap(map);
    } else if (random.nextInt(5) == 0) {
      ask(map.send);
    } else {
      // A merge pins what it works on, and asks for no more than the guarantee meanwhile.
      boolean merges = map.sort.held() < guaranteed && random.nextBoolean();
      map.sort.pinned = merges ? guaranteed : 0;
      ask(map.sort);
      notePeak(map);
    }
  }

  private void endMap(SimulatedMap map) {
    notePeak(map);
    map.sort.moveTo(map.send);
    map.memory.close();
    maps.remove(map);
    outputs.add(map.send);
  }

  private void notePeak(SimulatedMap map) {
    map.peak = Math.max(map.peak, map.sort.source.peak);
  }

  private void reduceWorks(boolean finish) {
    if (reduces.isEmpty()) {
      return;
    }
    SimulatedReduce reduce = pick(reduces);
    reduce.receive.arrived();
    if (reduce.receive.waits()) {
      return;
    }
    if (finish) {
      reduces.remove(reduce);
      endReduce(reduce);
    } else {
      ask(reduce.receive);
    }
  }

  private void ask(SimulatedBuffer buffer) {
    if (random.nextInt(3) == 0) {
      buffer.request(f.scheduler, step);
    } else {
      buffer.poll();
    }
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private void check() {
    long used = f.ledger.used();
    assertThat(used).isLessThanOrEqualTo(f.ledger.cap());
    assertThat(used).isEqualTo((long) (f.pool.units() - f.pool.freeUnits()) * UNIT);
    if (step % 16 == 0) {
      f.usedUnits();
      formulas();
    }
    maps.forEach(map -> noteWait(map.sort));
    maps.forEach(map -> noteWait(map.send));
    reduces.forEach(reduce -> noteWait(reduce.receive));
  }

  private void noteWait(SimulatedBuffer buffer) {
    if (buffer.waits()) {
      longestWaits.merge(buffer.kind(), step - buffer.waitingSince, Math::max);
    }
  }

  /** Equation 2, from this class's own books. */
  private void formulas() {
    MemorySnapshot now = f.scheduler.snapshot();
    long sortBuffer = 0;
    long sort = 0;
    long send = 0;
    for (MemoryUse.Job job : now.getJobs()) {
      sort += job.sortBytes();
      send += job.sendBytes();
      long peak = job.sortPeakBytes();
      sortBuffer += peak > 0 ? peak * job.maps() : job.sortBytes();
    }
    long lingering = now.getByKind().get("SORT") - sort;
    sort += lingering;
    send = now.getByKind().get("SEND");
    long total = now.getPoolLimit();
    long map = Math.min(sortBuffer + send, total);
    long borrowed = Math.max(0, sort + send - map);
    assertThat(now.getMapQuota()).isEqualTo(map);
    assertThat(now.getReduceQuota()).isEqualTo(Math.max(0, total - map - borrowed));
    long divided = 0;
    for (MemoryUse.Reduce reduce : now.getReduces()) {
      divided += reduce.quotaBytes();
    }
    assertThat(divided).isEqualTo(reduces.isEmpty() ? 0 : now.getReduceQuota());
    assertThat(now.getRunningMaps()).isEqualTo(maps.size());
  }

  /**
   * Nothing new starts and nobody is killed; every task that runs asks for more with requests that
   * wait, nobody fetches output, and all must come to their end.
   */
  void finish() {
    Map<SimulatedBuffer, Integer> left = new HashMap<>();
    maps.forEach(map -> left.put(map.sort, 1 + random.nextInt(2 * guaranteed + 6)));
    reduces.forEach(reduce -> left.put(reduce.receive, 1 + random.nextInt(8)));
    int rounds = 0;
    while (!maps.isEmpty() || !reduces.isEmpty()) {
      assertThat(++rounds)
          .as("rounds until all tasks have ended: %s", f.scheduler.snapshot().getWaiters().size())
          .isLessThan(2_000);
      step++;
      f.now += 100_000_000;
      spill();
      f.scheduler.balance();
      for (SimulatedMap map : new ArrayList<>(maps)) {
        if (advance(map.sort, left) && !map.send.waits()) {
          map.send.arrived();
          endMap(map);
        }
      }
      for (SimulatedReduce reduce : new ArrayList<>(reduces)) {
        if (advance(reduce.receive, left)) {
          reduces.remove(reduce);
          endReduce(reduce);
        }
      }
      check();
    }
  }

  private boolean advance(SimulatedBuffer buffer, Map<SimulatedBuffer, Integer> left) {
    buffer.arrived();
    if (buffer.waits()) {
      return false;
    }
    buffer.pinned = 0;
    int more = left.merge(buffer, -1, Integer::sum);
    if (more <= 0) {
      return true;
    }
    buffer.request(f.scheduler, step);
    return false;
  }

  @Override
  public void close() {
    new ArrayList<>(weights.keySet()).forEach(this::endJob);
    while (!disk.isEmpty()) {
      spill();
    }
    f.close();
  }
}
