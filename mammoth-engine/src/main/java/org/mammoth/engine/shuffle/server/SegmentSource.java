// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.io.IOException;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentKey;

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

  /**
   * Gets ready to merge outputs into one sorted segment, which {@link #find} then opens under the
   * list's name until {@link #unmerge}. Waits for nothing.
   *
   * @throws SegmentUnavailableException if that is not to be had, with the reason to send
   */
  default void merge(MergeList list) throws SegmentUnavailableException {
    throw new SegmentUnavailableException(Reason.NO_SUCH_OUTPUT, "nothing is merged here");
  }

  /** A merge is not wanted any more. Waits for nothing. */
  default void unmerge(SegmentKey merge) {}

  /** What {@link #find} may wait for, as {@link Readers} are told; never waits itself. */
  default String waitsFor(String job, String mapAttempt) {
    return Readers.MEMORY;
  }
}
