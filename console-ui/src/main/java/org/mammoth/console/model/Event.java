// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * Something that happened at one moment. Texts are empty where there is nothing to say, and name no
 * user: that is {@code user}.
 *
 * @param timeMs when the console saw it, milliseconds since 1970
 * @param severity of an alert: critical, warning or info; of a job that failed warning; else empty
 * @param node id of the node it is about
 * @param job id of the job it is about
 * @param user whose job it is, or who gave the order
 * @param subject what else it is about: an alert's rule, an engine, an action's path
 * @param text what happened, in a few words
 */
public record Event(
    long timeMs,
    Kind kind,
    String severity,
    String node,
    String job,
    String user,
    String subject,
    String text) {

  /** What kind of thing happened. */
  public enum Kind {
    ALERT_FIRED,
    ALERT_RESOLVED,
    ALERT_ACKNOWLEDGED,
    ALERT_MUTED,
    ALERT_UNMUTED,
    JOB_STARTED,
    JOB_ENDED,
    ENGINE_STARTED,
    ENGINE_ENDED,
    NODE_JOINED,
    NODE_GONE,
    NODE_BACK,
    ACTION,
    CONSOLE_STARTED
  }

  /** Of a node or an engine. */
  public static Event of(long timeMs, Kind kind, String node, String subject, String text) {
    return new Event(timeMs, kind, "", node, "", "", subject, text);
  }

  /** With another time. */
  public Event at(long otherMs) {
    return new Event(otherMs, kind, severity, node, job, user, subject, text);
  }
}
