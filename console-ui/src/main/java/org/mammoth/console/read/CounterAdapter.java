// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.ReduceInput;
import org.mammoth.mapreduce.MammothShuffleCounter;

/** From a job's counters to the console's model. */
public final class CounterAdapter {

  private static final String SHUFFLE = MammothShuffleCounter.class.getSimpleName();
  private static final String MEMORY = MammothShuffleCounter.MEMORY_BYTES.name();
  private static final String DISK = MammothShuffleCounter.DISK_BYTES.name();
  private static final String NETWORK = MammothShuffleCounter.NETWORK_BYTES.name();

  private CounterAdapter() {}

  /**
   * Where the reduces' input came from, or null if the job does not tell: it ran without Mammoth or
   * with an earlier release of it, or no reduce has taken anything in. Hadoop lists a counter from
   * when it is first counted; one that is not there beside another is 0.
   *
   * @param counters as {@link FinishedJobs#counters} has them
   */
  public static ReduceInput reduceInput(List<JobCounter> counters) {
    Map<String, Long> told = new HashMap<>();
    for (JobCounter counter : counters) {
      if (counter.group().equals(SHUFFLE)) {
        told.put(counter.name(), counter.total());
      }
    }
    if (!told.containsKey(MEMORY) && !told.containsKey(DISK) && !told.containsKey(NETWORK)) {
      return null;
    }
    return new ReduceInput(
        told.getOrDefault(MEMORY, 0L), told.getOrDefault(DISK, 0L), told.getOrDefault(NETWORK, 0L));
  }
}
