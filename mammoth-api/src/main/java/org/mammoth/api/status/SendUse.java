// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * The final outputs of maps that the engine knows.
 *
 * @param outputs how many
 * @param heldOutputs of which bytes are in memory
 * @param heldBytes in memory
 * @param fileBytes of all of them, on disk
 * @param jobs the same by job
 */
public record SendUse(
    int outputs, int heldOutputs, long heldBytes, long fileBytes, List<Job> jobs) {

  public SendUse {
    jobs = StatusJson.orEmpty(jobs);
  }

  /**
   * The outputs of one job.
   *
   * @param job its id
   * @param outputs how many
   * @param heldOutputs of which bytes are in memory
   * @param heldBytes in memory
   * @param fileBytes on disk
   */
  public record Job(String job, int outputs, int heldOutputs, long heldBytes, long fileBytes) {}
}
