// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Upstream's ApplicationMaster, run by an engine instead of by {@code MRAppMaster.main}.
 *
 * <p>In Hadoop's package because its clean-up on a termination signal, {@code
 * MRAppMasterShutdownHook}, is package-private.
 */
public final class HostedAppMaster extends MRAppMaster {

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Runnable jobFinished;
  private volatile boolean hasStarted;

  /**
   * @param nmPort port of the NodeManager's RPC server
   * @param nmHttpPort port of its pages
   * @param submitMs when the application was submitted
   * @param jobFinished told when the job is over and only late questions of clients are answered
   */
  public HostedAppMaster(
      ContainerId container,
      String nmHost,
      int nmPort,
      int nmHttpPort,
      long submitMs,
      Runnable jobFinished) {
    super(container.getApplicationAttemptId(), container, nmHost, nmPort, nmHttpPort, submitMs);
    this.jobFinished = jobFinished;
  }

  /** Initialises and starts all services; returns when they run. */
  public void begin(JobConf conf, String user) throws IOException, InterruptedException {
    initAndStartAppMaster(this, conf, user);
    hasStarted = true;
  }

  /** Waits until the job is over and the ApplicationMaster would leave its process. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Does what upstream does on a termination signal. */
  public void terminate() {
    new MRAppMasterShutdownHook(this).run();
  }

  @Override
  protected void serviceStop() throws Exception {
    super.serviceStop();
    if (hasStarted) {
      jobFinished.run();
    }
  }

  @Override
  public void shutDownJob() {
    try {
      super.shutDownJob();
    } finally {
      ended.countDown();
    }
  }
}
