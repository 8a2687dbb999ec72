// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.StoreListener;

/** A {@link StoreListener} of three functions. */
record Departures(
    Consumer<BlockKey> onLeaving, Consumer<BlockKey> onLeft, BiConsumer<BlockKey, String> onLost)
    implements StoreListener {

  @Override
  public void leaving(BlockKey key) {
    onLeaving.accept(key);
  }

  @Override
  public void left(BlockKey key) {
    onLeft.accept(key);
  }

  @Override
  public void lost(BlockKey key, String why) {
    onLost.accept(key, why);
  }
}
