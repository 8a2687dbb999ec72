// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.mammoth.console.model.JobSample;

/**
 * Judges jobs that failed.
 *
 * @param windowMs how long after its end a job is told of, milliseconds
 */
record JobFailed(long windowMs) implements AlertRule.Judge {

  @Override
  public void look(Facts facts, Consumer<Finding> found) {
    for (JobSample job : facts.moment().view().jobs()) {
      if (job.finalStatus().equals("FAILED") && facts.nowMs() - job.endSeenMs() < windowMs) {
        found.accept(
            new Finding(
                Map.of("job", job.id(), "user", job.user(), "queue", job.queue()),
                job.name() + " of " + job.user() + " failed",
                "It ended at " + Instant.ofEpochMilli(job.finishedMs()) + ".",
                job.endSeenMs() + windowMs));
      }
    }
  }
}
