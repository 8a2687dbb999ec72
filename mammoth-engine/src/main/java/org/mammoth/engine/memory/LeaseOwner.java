// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.Objects;

/**
 * Whom leased memory is charged to.
 *
 * @param user name of the user the job runs as
 * @param job the job's id, unique in the cluster
 * @param attempt the task attempt's id, or a name of the engine's own such as {@code elements}
 */
public record LeaseOwner(String user, String job, String attempt) {

  /** Refuses a missing part: what nobody owns can never be given back. */
  public LeaseOwner {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(attempt, "attempt");
  }

  @Override
  public String toString() {
    return attempt + " of job " + job + " of user " + user;
  }
}
