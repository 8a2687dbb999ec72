// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.mammoth.compat.diff.JobCounts;
import org.mammoth.compat.diff.Notes;

/**
 * All that a job did and saw, in lines that another run of it must repeat.
 *
 * @param lines topic to line, masked
 * @param places where its tasks ran
 * @param counts its counters
 */
record Seen(Map<String, String> lines, Notes places, JobCounts counts) {
  /** Topics whose lines are not the same, one line each. */
  List<String> differences(Seen stock) {
    if (!lines.get("job").equals(stock.lines.get("job"))) {
      return List.of("job: " + lines.get("job") + " | stock: " + stock.lines.get("job"));
    }
    List<String> differences = new ArrayList<>();
    Map<String, String> all = new TreeMap<>(lines);
    all.putAll(stock.lines);
    if (lines.get("job").equals("failed")) {
      // How far its reduces had come is a matter of time.
      all.remove("containers");
    }
    for (String topic : all.keySet()) {
      String here = lines.getOrDefault(topic, "nothing");
      String there = stock.lines.getOrDefault(topic, "nothing");
      if (!here.equals(there)) {
        differences.add(topic + ": " + here + " | stock: " + there);
      }
    }
    return differences;
  }

  /** The JVMs that its tasks ran in. */
  Set<String> engines() {
    return Set.copyOf(places.byAttempt().values());
  }

  /** Whether all tasks ran in engines. */
  boolean inEngines() {
    return places.ordinary().isEmpty() && !places.byAttempt().isEmpty();
  }
}
