// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

/** Judges containers that met an OutOfMemoryError in the heap they share. Thread-safe. */
public interface MemoryJudge {

  /**
   * Whether a container is to blame for the error that one of its threads met; it fails then, and
   * is run again elsewhere otherwise.
   */
  boolean isToBlame(HostedContainer container, OutOfMemoryError error);
}
