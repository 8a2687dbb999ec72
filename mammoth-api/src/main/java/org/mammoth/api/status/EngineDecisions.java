// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * Decisions of one engine's cache scheduler, in the order of their numbers.
 *
 * @param version {@link StatusJson#VERSION} of the engine that made it
 * @param engineId the engine's name; numbers begin at 0 with each engine
 * @param next number the next decision will have
 * @param decisions a part of the log
 */
public record EngineDecisions(int version, String engineId, long next, List<Decision> decisions) {

  public EngineDecisions {
    decisions = StatusJson.orEmpty(decisions);
  }

  /**
   * One decision. Equal ones in a row are one with the sum of their bytes, so the last of a log may
   * still grow.
   *
   * @param sequence its number
   * @param atMs when, ms since 1970; of the last one if several were added up
   * @param action GRANT, REFUSE, WAIT, REVOKE, MOVE, LEAVE or END
   * @param user for whom; empty, as are job and attempt, for the scheduler's own
   * @param job for whom
   * @param attempt for whom
   * @param kind of buffer
   * @param bytes how much
   * @param rule why, see docs/engine-json.md
   * @param victimJob who has to give memory back or gets what is handed over; else empty
   * @param victim its attempt; else empty
   * @param waitedMs how long the request had waited
   */
  public record Decision(
      long sequence,
      long atMs,
      String action,
      String user,
      String job,
      String attempt,
      String kind,
      long bytes,
      String rule,
      String victimJob,
      String victim,
      long waitedMs) {}
}
