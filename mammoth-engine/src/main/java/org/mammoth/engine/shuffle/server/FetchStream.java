// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.wire.Frame;

/** One range of one segment, pulled. */
final class FetchStream extends OutStream {

  private final ChannelHandlerContext ctx;
  private final Transfer transfer;

  FetchStream(ChannelHandlerContext ctx, Frame.Fetch request, int maxChunk) {
    super(
        request.stream(), request.job(), Math.min(request.chunkSize(), maxChunk), request.credit());
    this.ctx = ctx;
    this.transfer =
        new Transfer(
            new SegmentKey(request.job(), request.mapAttempt(), request.partition()),
            0,
            request.offset(),
            request.maxBytes(),
            request.identity());
  }

  @Override
  Transfer current() {
    return transfer;
  }

  @Override
  void opened(Transfer opened) {
    ctx.writeAndFlush(segmentFrame(id, 0, opened.info()));
  }

  @Override
  boolean over(Transfer over) {
    return true;
  }

  @Override
  List<Transfer> drain() {
    return List.of(transfer);
  }

  static Frame segmentFrame(int stream, int number, SegmentInfo info) {
    return new Frame.Segment(
        stream,
        number,
        info.key().mapAttempt(),
        info.key().partition(),
        info.rawLength(),
        info.partLength(),
        info.identity(),
        info.flags());
  }
}
