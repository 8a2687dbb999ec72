// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.List;
import java.util.Map;
import org.mammoth.config.names.KeyNames;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.model.TaskCounts;
import org.mammoth.mapreduce.MammothCounter;
import org.mammoth.mapreduce.MammothShuffleCounter;

/**
 * Whether a job ran in engines or as on stock Hadoop, by evidence only: what no evidence says is
 * unknown and is compared with nothing.
 *
 * @param kind what is known
 * @param why the evidence, or why there is none
 */
record RunEvidence(RunKind kind, String why) {

  private static final String ENABLED = KeyNames.ENGINE_ENABLED;

  /**
   * Judges a job.
   *
   * @param seen how many of its attempts were seen in engines
   * @param recorded whether history has memory that it held in engines
   * @param settings what of its configuration names Mammoth; null if it is not known
   * @param tasks null if they are not known
   */
  static RunEvidence of(
      int seen,
      boolean recorded,
      List<JobCounter> counters,
      Map<String, String> settings,
      TaskCounts tasks) {
    if (seen > 0 || recorded) {
      return new RunEvidence(RunKind.ENGINE, "its tasks were seen in engines");
    }
    if (counted(counters, MammothShuffleCounter.class.getSimpleName())
        || total(counters, MammothCounter.DATA_CACHE_BYTES.name()) > 0) {
      return new RunEvidence(RunKind.ENGINE, "it has counters that only tasks in engines have");
    }
    if (settings != null && "false".equals(settings.get(ENABLED))) {
      return new RunEvidence(RunKind.STOCK, "its " + ENABLED + " is false");
    }
    long fallbacks = total(counters, MammothCounter.ENGINE_FALLBACKS.name());
    if (fallbacks > 0 && tasks != null && fallbacks >= tasks.mapsDone() + tasks.reducesDone()) {
      return new RunEvidence(RunKind.STOCK, "all its tasks went to ordinary containers");
    }
    if (settings != null && settings.isEmpty() && total(counters, "REDUCE_SHUFFLE_BYTES") > 0) {
      return new RunEvidence(
          RunKind.STOCK, "neither its configuration nor its shuffle counters name Mammoth");
    }
    return new RunEvidence(
        RunKind.UNKNOWN,
        counters.isEmpty()
            ? "its counters are not known"
            : "nobody saw its tasks in an engine, and nothing says that none was");
  }

  private static boolean counted(List<JobCounter> counters, String group) {
    return counters.stream().anyMatch(c -> c.group().equals(group) && c.total() > 0);
  }

  private static long total(List<JobCounter> counters, String name) {
    return counters.stream()
        .filter(counter -> counter.name().equals(name))
        .mapToLong(JobCounter::total)
        .max()
        .orElse(0);
  }
}
