// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.config.ConfigKey;

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
   * @throws IllegalArgumentException naming the key and the entry that is none
   */
  public static ShareWeights of(ConfigKey<String> key, Configuration conf) {
    ShareWeights weights = new ShareWeights();
    for (String entry : key.get(conf).split(",")) {
      if (!entry.isBlank()) {
        weights.add(key, entry.trim());
      }
    }
    return weights;
  }

  private void add(ConfigKey<String> key, String entry) {
    int equals = entry.lastIndexOf('=');
    double weight;
    try {
      weight = Double.parseDouble(entry.substring(equals + 1).trim());
    } catch (NumberFormatException e) {
      weight = Double.NaN;
    }
    String name = equals < 0 ? "" : entry.substring(0, equals).trim();
    if (name.isEmpty() || !(weight >= 1 && weight <= MOST)) {
      throw new IllegalArgumentException(
          key.name()
              + " has the entry '"
              + entry
              + "', which is not NAME=WEIGHT with a weight of 1 to "
              + (int) MOST
              + ", as in etl=300,ann=50. Correct or remove it.");
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
