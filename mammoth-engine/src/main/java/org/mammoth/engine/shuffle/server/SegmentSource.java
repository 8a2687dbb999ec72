package org.mammoth.engine.shuffle.server;

import java.io.IOException;

/**
 * Finds map output on this node. Paths are made here, from the job's own record, never from what a
 * client says. Called by any thread of the server's executor.
 */
@FunctionalInterface
public interface SegmentSource {

  /**
   * Opens a segment; from memory if it is still there, from disk otherwise.
   *
   * @throws SegmentUnavailableException if there is none, with the reason to send
   * @throws IOException if opening failed
   */
  Segment find(String job, String mapAttempt, int partition) throws IOException;

  /** What {@link #find} may wait for, as {@link Readers} are told; never waits itself. */
  default String waitsFor(String job, String mapAttempt) {
    return Readers.MEMORY;
  }
}
