// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.mammoth.engine.sort.keys.KeyOrder;

/**
 * Merges inputs in the passes of upstream's {@code Merger}, so that equal keys come in its order:
 * of more inputs than its merge factor, the shortest are merged first, and what they give joins the
 * others by its length. Upstream writes that to disk; here a pass is an input of the next one.
 *
 * <p>One thread at a time.
 */
public final class UpstreamMerge {

  /** An input and its length as a segment, in bytes. */
  public record Input(RecordCursor cursor, long length) {

    boolean isEmpty() {
      return length <= MergedInput.MARK_BYTES;
    }
  }

  private static final Comparator<Input> BY_LENGTH = Comparator.comparingLong(Input::length);

  private final KeyOrder order;
  private final int factor;

  /** Merges up to {@code factor} inputs at a time (mapreduce.task.io.sort.factor). */
  public UpstreamMerge(KeyOrder order, int factor) {
    this.order = order;
    this.factor = Math.max(2, factor);
  }

  /** Merges inputs of which none has moved to its first record yet. */
  public MergeQueue merge(List<Input> inputs) {
    if (inputs.size() <= factor) {
      return heap(inputs);
    }
    List<Input> waiting = new ArrayList<>(inputs);
    waiting.sort(BY_LENGTH);
    int count = waiting.size();
    int width = firstWidth(count);
    while (true) {
      List<Input> pass = new ArrayList<>();
      while (pass.size() < width && !waiting.isEmpty()) {
        Input shortest = waiting.remove(0);
        if (shortest.isEmpty()) {
          count--;
        } else {
          pass.add(shortest);
        }
      }
      if (count <= width) {
        return heap(pass);
      }
      insert(waiting, heap(pass), length(pass));
      count = waiting.size();
      width = factor;
    }
  }

  /**
   * Makes what was merged before an input among others that are sorted by length.
   *
   * @param length of it, in bytes
   */
  public void insert(List<Input> inputs, MergeQueue merged, long length) {
    Input input = new Input(cursor(merged), length);
    int place = Collections.binarySearch(inputs, input, BY_LENGTH);
    inputs.add(place < 0 ? -place - 1 : place, input);
  }

  /** What was merged before, as one input of another merge. */
  public static RecordCursor cursor(MergeQueue merged) {
    return new MergedCursor(merged);
  }

  /** So many that each later pass has as many inputs as the factor says. */
  private int firstWidth(int count) {
    int over = (count - 1) % (factor - 1);
    return over == 0 ? factor : over + 1;
  }

  private static long length(List<Input> inputs) {
    long length = MergedInput.MARK_BYTES;
    for (Input input : inputs) {
      length += input.length - MergedInput.MARK_BYTES;
    }
    return length;
  }

  private MergeQueue heap(List<Input> inputs) {
    return MergeQueue.likeUpstream(order, inputs.stream().map(Input::cursor).toList());
  }
}
