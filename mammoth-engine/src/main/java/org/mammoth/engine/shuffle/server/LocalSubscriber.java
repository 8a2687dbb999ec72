// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import org.mammoth.engine.shuffle.SegmentInfo;

/**
 * A reduce on the same node: it learns of segments as remote ones do, and takes them from the
 * engine's memory itself, so that nothing is copied. Called by the threads that publish; must not
 * block.
 */
public interface LocalSubscriber {

  /** A segment is there. It stays tentative until a completion event names its attempt. */
  void offered(SegmentInfo segment);

  /** All segments of the attempt left the memory. */
  void withdrawn(String mapAttempt);
}
