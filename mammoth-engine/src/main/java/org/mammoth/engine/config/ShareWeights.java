// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import java.util.Map;
import java.util.TreeMap;

/**
 * What an administrator says about how users, or queues, share a node's memory: a list such as
 * {@code etl=300,ann=50}; whoever is not named has {@value #USUAL}. Immutable.
 */
public final class ShareWeights {

  /** The weight of whoever is not named. */
  public static final double USUAL = 100;

  private static final double MOST = 10_000;

  private final Map<String, Double> named = new TreeMap<>();

  private ShareWeights() {}

  /**
   * Reads a list of names and weights.
   *
   * @throws IllegalArgumentException naming the entry that is none
   */
  static ShareWeights listed(String text) {
    ShareWeights weights = new ShareWeights();
    for (String entry : text.split(",")) {
      if (!entry.isBlank()) {
        weights.add(entry.trim());
      }
    }
    return weights;
  }

  private void add(String entry) {
    int equals = entry.lastIndexOf('=');
    double weight;
    try {
      weight = Double.parseDouble(entry.substring(equals + 1).trim());
    } catch (NumberFormatException e) {
      weight = Double.NaN;
    }
    String name = equals < 0 ? "" : entry.substring(0, equals).trim();
    if (name.isEmpty() || !(weight >= 1 && weight <= MOST)) {
      throw new IllegalArgumentException("'" + entry + "' is not such a pair");
    }
    named.put(name, weight);
  }

  /** Whether all weigh the same, since none is named. */
  public boolean areEqual() {
    return named.isEmpty();
  }

  /** The weight of {@code name}, above 0. */
  public double of(String name) {
    return named.getOrDefault(name, USUAL);
  }
}
