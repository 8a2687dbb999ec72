// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

/** Why something was not done. Each has a number on the wire that never changes its meaning. */
public enum Reason {
  /** A reason of a newer peer that this side does not know. */
  OTHER(0, false),
  /** The server has no such output; asking again is of no use. */
  NO_SUCH_OUTPUT(1, false),
  /** A pushed segment left the memory; it can be pulled. */
  REVOKED(2, true),
  /** A limit of the server is reached; try later. */
  BUSY(3, true),
  /** The job is over, or the output was removed. */
  GONE(4, false),
  /** The range does not lie within the segment. */
  BAD_RANGE(5, false),
  /** The segment is not the one that was being read. */
  CHANGED(6, false),
  /** The server holds no secret of this job. */
  UNKNOWN_JOB(7, false),
  /** The other side does not know the job's secret. */
  BAD_PROOF(8, false),
  /** A request came before its job was authenticated. */
  NOT_AUTHENTICATED(9, false),
  /** Reading the output failed on the server. */
  IO_ERROR(10, true),
  /** No protocol version is common to both sides. */
  VERSION(11, false),
  /** The other side broke the protocol. */
  PROTOCOL(12, true),
  /** The server is stopping. */
  SHUTDOWN(13, true),
  /** The receiver does not want an offered segment. */
  NOT_WANTED(14, false),
  /** A checksum does not fit its data. Never sent. */
  CORRUPT(100, true),
  /** The connection ended before the answer. Never sent. */
  CUT(101, true),
  /** No progress for too long. Never sent. */
  TIMEOUT(102, true),
  /** What listens there does not speak this protocol, or nothing listens. Never sent. */
  NOT_OURS(103, false),
  /** The caller cancelled. Never sent. */
  CANCELLED(104, false),
  /** The caller's own sink failed. Never sent. */
  LOCAL(105, false),
  /** TLS is required and not to be had, or its handshake failed. Never sent. */
  TLS(106, false),
  /** No connection could be made. Never sent. */
  UNREACHABLE(107, true);

  private final int code;
  private final boolean retriable;

  Reason(int code, boolean retriable) {
    this.code = code;
    this.retriable = retriable;
  }

  /** The number on the wire, 0 to 65535. */
  public int code() {
    return code;
  }

  /** Whether the same request may succeed a little later. */
  public boolean retriable() {
    return retriable;
  }

  /** The reason of a wire number; {@link #OTHER} for numbers this version does not know. */
  public static Reason ofCode(int code) {
    for (Reason reason : values()) {
      if (reason.code == code) {
        return reason;
      }
    }
    return OTHER;
  }
}
