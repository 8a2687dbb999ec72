// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VLongWritable;

/**
 * One group's reduction, fed value by value. No result depends on the order of values, because
 * stock's shuffle gives none.
 *
 * <p>Not thread-safe; one instance serves one group.
 */
final class Folding {
  private static final int SHOWN = 300;

  private final JobPlan plan;
  private final List<String> seen = new ArrayList<>();
  private final TreeMap<String, Object> distinct = new TreeMap<>();
  private long sum;
  private long count;
  private String smallest;

  Folding(JobPlan plan) {
    this.plan = plan;
  }

  /**
   * Takes the key as it is while this value is current: under a grouping comparator it changes from
   * value to value.
   */
  void add(Object key, Object value) {
    String shownKey = Kind.show(key);
    String canonical = canonical(key, shownKey);
    smallest = smallest == null || canonical.compareTo(smallest) < 0 ? canonical : smallest;
    switch (plan.fold) {
      // The old API shows one key for the whole group, and stock does not say which of several
      // equal ones.
      case LIST ->
          seen.add(digestIfLong((plan.oldApi ? canonical : shownKey) + "=" + Kind.show(value)));
      case SUM ->
          sum +=
              value instanceof LongWritable number ? number.get() : ((VLongWritable) value).get();
      case MEAN -> {
        String[] parts = value.toString().split(":");
        count += Long.parseLong(parts[0]);
        sum += Long.parseLong(parts[1]);
      }
      default -> distinct.putIfAbsent(Kind.show(value), copy(value));
    }
  }

  /** What all keys of a group have in common. */
  private String canonical(Object key, String shownKey) {
    if (plan.keepsKey()) {
      return shownKey;
    }
    return plan.order == JobPlan.Order.FIELD ? Kind.field(shownKey) : Kind.coarse(key);
  }

  /** What a combiner emits for the group: values of the map output's type. */
  List<Object> combined() {
    return switch (plan.fold) {
      case SUM -> List.of(plan.value == Kind.LONG ? new LongWritable(sum) : new VLongWritable(sum));
      case MEAN -> List.of(new Text(count + ":" + sum));
      case DISTINCT -> List.copyOf(distinct.values());
      case LIST -> throw new IllegalStateException("a list is never combined");
    };
  }

  /** The group's name where its keys differ: the smallest of their coarse forms. */
  String name() {
    return smallest;
  }

  String reduced() {
    return switch (plan.fold) {
      case SUM -> Long.toString(sum);
      case MEAN -> sum + "/" + count;
      case DISTINCT -> digestIfLong(String.join(",", distinct.keySet()));
      case LIST -> {
        Collections.sort(seen);
        yield seen.size() + " " + digestIfLong(String.join(",", seen));
      }
    };
  }

  private Object copy(Object value) {
    return plan.value.copy(value);
  }

  private static String digestIfLong(String text) {
    if (text.length() <= SHOWN) {
      return text;
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return text.length() + "#" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
