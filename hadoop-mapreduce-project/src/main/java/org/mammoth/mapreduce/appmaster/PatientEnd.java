// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import java.io.IOException;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * The ResourceManager, asked ever more seldom whether it has noted the end of a job: at first every
 * few milliseconds, as it has in no time while all is well, and once a second while it cannot store
 * anything. Each question costs it an event. One thread at a time asks for the end.
 */
final class PatientEnd implements ApplicationMasterProtocol {

  /** The longest pause; also upstream's own. */
  static final long LONGEST_MS = 1_000;

  /** Waits; in a test it does not. */
  @FunctionalInterface
  interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  private final ApplicationMasterProtocol manager;
  private final Pause pause;
  private final long firstMs;
  private long nextMs;

  /**
   * @param firstMs the first pause; it doubles with each answer that the end is not noted yet
   */
  PatientEnd(ApplicationMasterProtocol manager, long firstMs, Pause pause) {
    this.manager = manager;
    this.firstMs = firstMs;
    this.pause = pause;
  }

  @Override
  public RegisterApplicationMasterResponse registerApplicationMaster(
      RegisterApplicationMasterRequest request) throws YarnException, IOException {
    return manager.registerApplicationMaster(request);
  }

  @Override
  public FinishApplicationMasterResponse finishApplicationMaster(
      FinishApplicationMasterRequest request) throws YarnException, IOException {
    if (nextMs > 0) {
      try {
        pause.millis(nextMs);
      } catch (InterruptedException e) {
        // Upstream pauses next, and ends by it.
        Thread.currentThread().interrupt();
      }
    }
    nextMs = Math.min(LONGEST_MS, Math.max(firstMs, 2 * nextMs));
    return manager.finishApplicationMaster(request);
  }

  @Override
  public AllocateResponse allocate(AllocateRequest request) throws YarnException, IOException {
    return manager.allocate(request);
  }
}
