// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Segments at sources that answer when the test lets them: at once, later and in any order, or not.
 */
final class SimulatedReader implements RangeReader {

  private final List<byte[]> segments;
  private final Random random;
  private final boolean atOnce;
  private final List<RangeRequest> waiting = new ArrayList<>();

  /** Bytes asked for before the sources are lost. */
  private long left;

  private long asked;

  SimulatedReader(List<byte[]> segments, Random random, boolean atOnce, long left) {
    this.segments = segments;
    this.random = random;
    this.atOnce = atOnce;
    this.left = left;
  }

  @Override
  public void read(List<RangeRequest> requests) {
    synchronized (this) {
      for (RangeRequest request : requests) {
        asked += request.into().remaining();
      }
      if (!atOnce) {
        waiting.addAll(requests);
        notifyAll();
        return;
      }
    }
    requests.forEach(this::answer);
  }

  private void answer(RangeRequest request) {
    left -= request.into().remaining();
    if (left < 0) {
      request.done().accept(new IOException("the source is gone"));
      return;
    }
    request
        .into()
        .put(segments.get(request.segment()), (int) request.offset(), request.into().remaining());
    request.done().accept(null);
  }

  /** Answers what waits, in any order, until the thread is interrupted. */
  void answerAll() {
    try {
      while (true) {
        RangeRequest next;
        synchronized (this) {
          while (waiting.isEmpty()) {
            wait();
          }
          next = waiting.remove(random.nextInt(waiting.size()));
        }
        answer(next);
      }
    } catch (InterruptedException e) {
      // the test is over
    }
  }

  /** Answers what is left when nobody answers any more. */
  synchronized void drain() {
    waiting.forEach(this::answer);
    waiting.clear();
  }

  synchronized long asked() {
    return asked;
  }
}
