// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.PriorityQueue;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;

/** The merge that is like upstream's gives what upstream's heap gives, equal keys and all. */
class UpstreamOrderTest {

  /** A sorted segment in memory whose records know where they come from. */
  private static final class Records extends RecordCursor {
    private final KeyOrder order;
    private final List<String> keys;
    private final int segment;
    private int next;

    Records(KeyOrder order, List<String> keys, int segment) {
      this.order = order;
      this.keys = keys;
      this.segment = segment;
    }

    @Override
    public boolean next() {
      if (next == keys.size()) {
        return false;
      }
      byte[] text = keys.get(next++).getBytes(StandardCharsets.UTF_8);
      bytes = new byte[text.length + 1];
      bytes[0] = (byte) text.length;
      System.arraycopy(text, 0, bytes, 1, text.length);
      keyLength = bytes.length;
      end = bytes.length;
      prefix = order.prefix(bytes, 0, keyLength);
      return true;
    }

    String key() {
      return keys.get(next - 1);
    }

    String told() {
      return key() + " of " + segment + " at " + (next - 1);
    }
  }

  /** What upstream's Merger does, on the keys themselves. */
  private static List<String> upstream(List<Records> segments) {
    PriorityQueue<Records> heap =
        new PriorityQueue<>() {
          {
            initialize(segments.size());
          }

          @Override
          protected boolean lessThan(Object a, Object b) {
            return ((Records) a).key().compareTo(((Records) b).key()) < 0;
          }
        };
    for (Records each : segments) {
      if (each.next()) {
        heap.put(each);
      }
    }
    List<String> merged = new ArrayList<>();
    while (heap.size() > 0) {
      merged.add(heap.top().told());
      if (heap.top().next()) {
        heap.adjustTop();
      } else {
        heap.pop();
      }
    }
    return merged;
  }

  @Property(tries = 300)
  void equalKeysComeInUpstreamsOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 20) int segments,
      @ForAll @IntRange(min = 1, max = 6) int distinct,
      @ForAll boolean lookAhead)
      throws IOException {
    KeyOrder order = KeyOrders.of(new Text.Comparator());
    Random dice = new Random(seed);
    List<Records> ours = new ArrayList<>();
    List<Records> theirs = new ArrayList<>();
    for (int segment = 0; segment < segments; segment++) {
      List<String> keys =
          dice.ints(dice.nextInt(12), 0, distinct).sorted().mapToObj(i -> "key" + i).toList();
      ours.add(new Records(order, keys, segment));
      theirs.add(new Records(order, keys, segment));
    }
    MergeQueue queue = MergeQueue.likeUpstream(order, ours);
    List<String> expected = upstream(theirs);
    if (lookAhead) {
      assertThat(queue.isEmpty()).isEqualTo(expected.isEmpty());
    }
    List<String> merged = new ArrayList<>();
    while (queue.next()) {
      merged.add(((Records) queue.top()).told());
    }
    assertThat(merged).isEqualTo(expected);
    assertThat(queue.next()).isFalse();
  }
}
