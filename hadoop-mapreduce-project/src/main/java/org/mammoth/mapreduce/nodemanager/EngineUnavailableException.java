// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

/** A task was not started in an engine; its message completes "it runs in a process because". */
final class EngineUnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean askedFor;

  EngineUnavailableException(String message) {
    this(message, false);
  }

  /**
   * @param askedFor whether the job itself asked for a process
   */
  EngineUnavailableException(String message, boolean askedFor) {
    super(message);
    this.askedFor = askedFor;
  }

  /** Whether this is no fall-back, but what the job asked for. */
  boolean isAskedFor() {
    return askedFor;
  }
}
