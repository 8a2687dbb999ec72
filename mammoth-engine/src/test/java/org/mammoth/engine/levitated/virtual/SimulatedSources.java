// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;

/**
 * Segments at their sources, the network between and all threads, driven by one seed: what comes
 * next is drawn among all ranges under way and all steps to be run. A merge that waits for nothing
 * is an error.
 */
final class SimulatedSources implements RangeReader, StepRunner {

  private final Random random;
  private final List<byte[]> segments;
  private final List<RangeRequest> ranges = new ArrayList<>();
  private final List<Runnable> steps = new ArrayList<>();
  private final int failAfter;

  /** How often each byte was read. */
  final List<byte[]> reads = new ArrayList<>();

  long bytes;
  int served;

  /**
   * @param failAfter ranges that are served before all fail, -1 for never
   */
  SimulatedSources(Random random, List<byte[]> segments, int failAfter) {
    this.random = random;
    this.segments = segments;
    this.failAfter = failAfter;
    segments.forEach(each -> reads.add(new byte[each.length]));
  }

  @Override
  public void read(List<RangeRequest> requests) {
    ranges.addAll(requests);
  }

  @Override
  public void execute(Runnable step) {
    steps.add(step);
  }

  @Override
  public void await(BooleanSupplier ready) {
    while (!ready.getAsBoolean()) {
      if (!advance()) {
        throw new IllegalStateException("the merge waits, and nothing is under way");
      }
    }
  }

  /** None, or some. */
  @Override
  public void runReady() {
    while (!steps.isEmpty() && random.nextBoolean()) {
      steps.remove(random.nextInt(steps.size())).run();
    }
  }

  /** Lets one thing happen; false if there is none. */
  boolean advance() {
    int all = ranges.size() + steps.size();
    if (all == 0) {
      return false;
    }
    int next = random.nextInt(all);
    if (next < steps.size()) {
      steps.remove(next).run();
    } else {
      serve(ranges.remove(next - steps.size()));
    }
    return true;
  }

  private void serve(RangeRequest range) {
    if (failAfter >= 0 && served >= failAfter) {
      range.done().accept(new IOException("the source is gone"));
      return;
    }
    served++;
    byte[] seen = reads.get(range.segment());
    int from = (int) range.offset();
    for (int i = from; i < from + range.into().remaining(); i++) {
      seen[i] += seen[i] < 100 ? 1 : 0;
    }
    bytes += range.into().remaining();
    range.into().put(segments.get(range.segment()), from, range.into().remaining());
    range.done().accept(null);
  }

  @Override
  public void wake() {}
}
