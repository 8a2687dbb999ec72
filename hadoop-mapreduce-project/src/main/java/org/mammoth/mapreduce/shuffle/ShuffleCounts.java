// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin.Context;
import org.mammoth.mapreduce.MammothShuffleCounter;
import org.mammoth.mapreduce.buffers.OwnCounters;

/**
 * What a reduce's shuffle counts, so that it can be taken back when everything is fetched anew: a
 * reduce counts each map's output once, however often it came. Any thread.
 */
final class ShuffleCounts {

  private final OwnCounters own;

  /** Upstream's counters, with their values before; two of them may be equal at a time. */
  private final Map<Counter, Long> before = new IdentityHashMap<>();

  private final Map<MammothShuffleCounter, Long> counted =
      new EnumMap<>(MammothShuffleCounter.class);

  /** Counts upstream's from what {@code context} has counted so far, Mammoth's in {@code own}. */
  ShuffleCounts(Context<?, ?> context, OwnCounters own) {
    this.own = own;
    for (Counter counter :
        List.of(
            context.getShuffledMapsCounter(),
            context.getReduceShuffleBytes(),
            context.getMergedMapOutputsCounter())) {
      before.put(counter, counter.getValue());
    }
  }

  /** Counts. A counter that would be 0 is not listed, as stock's are not. */
  synchronized void add(MammothShuffleCounter counter, long count) {
    if (count > 0) {
      counted.merge(counter, count, Long::sum);
      own.add(counter, count);
    }
  }

  /** Counts, listed even if it is 0. */
  void list(MammothShuffleCounter counter, long count) {
    if (count == 0) {
      own.add(counter, 0);
    }
    add(counter, count);
  }

  /** Nothing that was counted here has come. */
  synchronized void takeBack() {
    counted.forEach((counter, count) -> own.add(counter, -count));
    counted.clear();
    before.forEach(Counter::setValue);
  }
}
