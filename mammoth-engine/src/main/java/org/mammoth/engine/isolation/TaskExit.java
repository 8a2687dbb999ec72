// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

/**
 * Unwinds the thread that asked its process to end.
 *
 * <p>Thrown in place of {@code System.exit}, {@code Runtime.exit} and {@code Runtime.halt}, which
 * never return. The process has already recorded the status and told its listener when this is
 * thrown, so user code that catches {@code Throwable} delays its own thread only. Carries no stack
 * trace: it is control flow, and user code that prints what it caught gets one line.
 */
public final class TaskExit extends Error {
  private static final long serialVersionUID = 1L;

  private final int status;

  TaskExit(String process, int status) {
    super("process " + process + " exits with status " + status, null, false, false);
    this.status = status;
  }

  /** The status this thread asked for. The process's own status is that of the first request. */
  public int status() {
    return status;
  }
}
