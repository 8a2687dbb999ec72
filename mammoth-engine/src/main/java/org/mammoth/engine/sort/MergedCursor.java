// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.IOException;

/** What a merge gives, as one input of another. Without large records; its inputs close it. */
final class MergedCursor extends RecordCursor {

  private final MergeQueue queue;

  /** Goes through a queue that nobody has moved. */
  MergedCursor(MergeQueue queue) {
    this.queue = queue;
  }

  @Override
  public boolean next() throws IOException {
    if (!queue.next()) {
      return false;
    }
    RecordCursor top = queue.top();
    bytes = top.bytes;
    start = top.start;
    keyAt = top.keyAt;
    keyLength = top.keyLength;
    end = top.end;
    prefix = top.prefix;
    return true;
  }
}
