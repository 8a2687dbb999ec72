// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.StandbyException;
import org.mammoth.api.status.StatusJson;
import org.mammoth.mpcache.master.MasterView;

/** {@link MasterMXBean} over the active master. */
final class MasterBean implements MasterMXBean {

  private static final double NANOS_PER_MICRO = 1_000;

  private final StatusJson json = new StatusJson();
  private final ActiveMaster master;
  private final NamespaceBlocks blocks;
  private final Supplier<String> reconfigured;

  /**
   * @param reconfigured see {@link #getLastReconfiguration}
   */
  MasterBean(ActiveMaster master, NamespaceBlocks blocks, Supplier<String> reconfigured) {
    this.master = master;
    this.blocks = blocks;
    this.reconfigured = reconfigured;
  }

  private <T> T of(Function<MasterView, T> look, T resting) {
    try {
      return look.apply(master.state().view());
    } catch (StandbyException e) {
      return resting;
    }
  }

  @Override
  public boolean isActive() {
    return of(view -> true, false);
  }

  @Override
  public String getReport() {
    return of(view -> json.write(MasterJson.report(view)), "{}");
  }

  @Override
  public long getHits() {
    return of(MasterView::hits, 0L);
  }

  @Override
  public long getMisses() {
    return of(MasterView::misses, 0L);
  }

  @Override
  public double getDataSetCompleteRate() {
    return of(view -> view.rounds() == 0 ? 0 : (double) view.roundsComplete() / view.rounds(), 0.0);
  }

  @Override
  public int getCachedDataSets() {
    return of(MasterView::cachedSets, 0);
  }

  @Override
  public int getCompleteDataSets() {
    return of(MasterView::completeSets, 0);
  }

  @Override
  public String getLastReconfiguration() {
    return reconfigured.get();
  }

  @Override
  public long getLockBatches() {
    return blocks.batches();
  }

  @Override
  public double getLockMeanMicros() {
    long batches = blocks.batches();
    return batches == 0 ? 0 : blocks.lockedNanos() / NANOS_PER_MICRO / batches;
  }

  @Override
  public double getLockLongestMicros() {
    return blocks.longestNanos() / NANOS_PER_MICRO;
  }
}
