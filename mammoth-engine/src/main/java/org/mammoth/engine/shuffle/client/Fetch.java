// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.util.concurrent.CompletableFuture;
import org.mammoth.engine.shuffle.SegmentInfo;

/** A fetch under way. Any thread. */
public interface Fetch {

  /**
   * Completes when the whole range was verified and given to the sink, or with a {@link
   * org.mammoth.engine.shuffle.FetchException}. Completed by a socket's thread: do not block in
   * what depends on it.
   */
  CompletableFuture<SegmentInfo> future();

  /** Offset in the segment before which every byte was verified and given to the sink. */
  long verifiedOffset();

  /** Lets the server send that many bytes more; only with manual credit. */
  void credit(long bytes);

  /** Ends the fetch; its future fails unless it was complete. */
  void cancel();
}
