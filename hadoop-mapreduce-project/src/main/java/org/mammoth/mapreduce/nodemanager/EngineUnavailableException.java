// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

/** A task was not started in an engine; its message completes "it runs in a process because". */
final class EngineUnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean wished;

  EngineUnavailableException(String message) {
    this(message, false);
  }

  /**
   * @param wished whether the job itself wishes to have a process
   */
  EngineUnavailableException(String message, boolean wished) {
    super(message);
    this.wished = wished;
  }

  /** Whether this is no fall-back, but what the job wishes. */
  boolean isWished() {
    return wished;
  }
}
