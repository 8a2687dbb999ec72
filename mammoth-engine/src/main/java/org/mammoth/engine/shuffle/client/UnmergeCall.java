// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.Wire;

/** Tells a server that a merge is not wanted any more; nothing is answered. */
final class UnmergeCall implements ClientStream {

  private final SegmentKey merge;

  UnmergeCall(SegmentKey merge) {
    this.merge = merge;
  }

  @Override
  public String job() {
    return merge.job();
  }

  @Override
  public void start(ClientConnection connection, int id) {
    if (connection.version() >= Wire.MERGE_VERSION) {
      connection.send(new Frame.Unmerge(merge.job(), merge.mapAttempt(), merge.partition()));
    }
    connection.detach(this);
  }

  @Override
  public void segment(Frame.Segment segment) {}

  @Override
  public void chunk(Frame.Chunk chunk) {}

  @Override
  public void end(Frame.End end) {}

  @Override
  public void nack(Frame.Nack nack) {}

  @Override
  public void lost(ShuffleException why) {}
}
