// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a reduce holds of other nodes' map output, put into files when others need the memory
 * (Mammoth paper, Shi et al. 2015, §3.3). Whoever asks only chooses; the reduce's own thread
 * writes. From the beginning of the merge on nothing is spilled: what is read gives its memory back
 * by itself.
 */
final class Spills {

  private static final Logger LOG = LoggerFactory.getLogger(Spills.class);

  private final Set<ReduceInput> inMemory = ConcurrentHashMap.newKeySet();
  private volatile Consumer<Runnable> later;

  /** Spills on the thread that {@code runs} what it is given. Nothing is spilled before. */
  void use(Consumer<Runnable> runs) {
    later = runs;
  }

  /** A segment is complete. */
  void add(ReduceInput input) {
    if (input.spillableBytes() > 0) {
      inMemory.add(input);
    }
  }

  /** Bytes that could be asked for. Any thread. */
  long bytes() {
    return later == null ? 0 : inMemory.stream().mapToLong(ReduceInput::spillableBytes).sum();
  }

  /**
   * Chooses what is to be spilled, the largest first, as that makes the fewest files.
   *
   * @return bytes that will come back
   */
  long begin(long wanted) {
    Consumer<Runnable> thread = later;
    if (thread == null) {
      return 0;
    }
    List<Candidate> largestFirst = new ArrayList<>();
    inMemory.forEach(input -> largestFirst.add(new Candidate(input, input.spillableBytes())));
    largestFirst.sort(Comparator.comparingLong(Candidate::bytes).reversed());
    long coming = 0;
    for (Candidate candidate : largestFirst) {
      if (coming < wanted && candidate.bytes > 0 && inMemory.remove(candidate.input)) {
        coming += candidate.bytes;
        thread.accept(() -> spill(candidate.input));
      }
    }
    return coming;
  }

  /** Its size when it was looked at, which may change meanwhile. */
  private record Candidate(ReduceInput input, long bytes) {}

  private void spill(ReduceInput input) {
    if (later == null) {
      return;
    }
    try {
      input.spill();
    } catch (IOException e) {
      // It is still in memory and whole: this reduce can do without that disk.
      LOG.warn("{} stays in memory", input.name(), e);
    }
  }

  /** Nothing is spilled any more. */
  void end() {
    later = null;
    inMemory.clear();
  }
}
