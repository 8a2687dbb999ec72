// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.mammoth.api.status.StatusJson;
import org.mammoth.hdfs.rpc.Spaces;
import org.mammoth.hdfs.slave.SlaveMetrics.Reason;
import org.mammoth.mpcache.slave.BandwidthLimiter;
import org.mammoth.mpcache.slave.BlockStore;
import org.mammoth.mpcache.slave.CacheMaster;
import org.mammoth.mpcache.slave.FillQueue;
import org.mammoth.mpcache.slave.FillResult;
import org.mammoth.mpcache.slave.SsdDirectory;

/** {@link SlaveMXBean} over a slave's parts. */
record SlaveBean(
    SlaveMetrics metrics,
    BlockStore store,
    SlaveSpace space,
    FillQueue queue,
    CacheMaster cache,
    BandwidthLimiter limiter,
    Supplier<String> reconfigured)
    implements SlaveMXBean {

  private static final StatusJson JSON = new StatusJson();

  @Override
  public long getHits() {
    return metrics.hits();
  }

  @Override
  public long getMisses() {
    return metrics.misses();
  }

  @Override
  public long getHitBlockBytes() {
    return metrics.hitBytes();
  }

  @Override
  public long getMissBlockBytes() {
    return metrics.missBytes();
  }

  @Override
  public double getByteHitRate() {
    double all = metrics.hitBytes() + metrics.missBytes();
    return all == 0 ? 0 : metrics.hitBytes() / all;
  }

  @Override
  public long getServedBytes() {
    return metrics.servedBytes();
  }

  @Override
  public Map<String, Long> getFills() {
    Map<String, Long> fills = new TreeMap<>();
    for (FillResult result : FillResult.values()) {
      fills.put(result.name().toLowerCase(Locale.ROOT), store.fills(result));
    }
    return fills;
  }

  @Override
  public Map<String, Long> getEvictions() {
    return new TreeMap<>(
        Map.of(
            "ordered", metrics.ordered(),
            "lost", metrics.left(Reason.LOST),
            "corrupt", metrics.left(Reason.CORRUPT),
            "replica_changed", metrics.left(Reason.REPLICA_CHANGED)));
  }

  @Override
  public int getFillsWaiting() {
    return queue.waiting() + cache.waitingForClients();
  }

  @Override
  public int getCopies() {
    return store.keys().size();
  }

  @Override
  public Map<String, Long> getSpace() {
    return JSON.numbers(Spaces.of(space.report(), true));
  }

  @Override
  public Map<String, String> getDirectories() {
    Map<String, String> states = new TreeMap<>();
    for (SsdDirectory directory : space.directories()) {
      String failure = directory.failure();
      states.put(directory.path().toString(), failure == null ? "ok" : failure);
    }
    return states;
  }

  @Override
  public double getGuard() {
    return space.tuner().guard();
  }

  @Override
  public long getFillBytesPerSecond() {
    return limiter.bytesPerSecond();
  }

  @Override
  public String getLastReconfiguration() {
    return reconfigured.get();
  }

  @Override
  public long getMasterEpoch() {
    return cache.epoch();
  }
}
