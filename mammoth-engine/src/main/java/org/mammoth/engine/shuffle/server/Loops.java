// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.RejectedExecutionException;

/** Runs things on a connection's event loop. */
final class Loops {

  private Loops() {}

  /** Returns false, and does nothing, when the loop has ended. */
  static boolean run(ChannelHandlerContext ctx, Runnable task) {
    try {
      ctx.executor().execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }
}
