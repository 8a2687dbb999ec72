// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * One decision of an engine's cache scheduler.
 *
 * @param sequence its number in its engine, growing
 * @param timeMs when, milliseconds since 1970
 * @param action GRANT, REFUSE, WAIT, REVOKE, MOVE, LEAVE or END
 * @param attempt for whom; empty for the scheduler itself
 * @param job the job of the attempt, or empty
 * @param user whose job it is, or empty
 * @param kind the kind of buffer
 * @param bytes how much
 * @param rule why
 * @param victimJob whose memory is taken, or gets what is handed over; or empty
 * @param victim its attempt, or empty
 * @param waitedMs how long the request waited
 */
public record Decision(
    String engine,
    long sequence,
    long timeMs,
    String action,
    String attempt,
    String job,
    String user,
    String kind,
    long bytes,
    String rule,
    String victimJob,
    String victim,
    long waitedMs) {}
