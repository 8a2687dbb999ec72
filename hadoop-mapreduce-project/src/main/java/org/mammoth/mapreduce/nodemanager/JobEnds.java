// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.mammoth.mapreduce.nodemanager.sites.EngineConnection;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the engines of a job's user that the job is over on this node, as YARN says. An engine that
 * is not reached finds out when the job's folders are gone. Never blocks its callers. Thread-safe.
 */
final class JobEnds implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JobEnds.class);

  /** An engine that takes longer is not worth waiting for. */
  private static final int CALL_TIMEOUT_MS = 5_000;

  private static final int MOST_WAITING = 10_000;
  private static final long IDLE_THREAD_S = 30;

  private final Configuration conf;
  private final EngineDirectory engines;
  private final ThreadPoolExecutor teller;

  JobEnds(Configuration conf, EngineDirectory engines) {
    this.conf = conf;
    this.engines = engines;
    this.teller =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_THREAD_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            work -> {
              Thread thread = new Thread(null, work, "mammoth-job-ends", 0, false);
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    teller.allowCoreThreadTimeOut(true);
  }

  /** A job of a user is over. */
  void tell(String user, String job) {
    try {
      teller.execute(() -> tellAll(user, job));
    } catch (RuntimeException | Error e) {
      LOG.warn("Engines of {} are not told that {} is over", user, job, e);
    }
  }

  private void tellAll(String user, String job) {
    for (EngineHome home : engines.enginesOf(user)) {
      try {
        Optional<EngineHome.Address> address = home.address();
        if (address.isPresent()) {
          tell(home, address.get(), job);
        }
      } catch (IOException | RuntimeException e) {
        LOG.info("Engine {} was not told that {} is over: {}", home.engineId(), job, e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void tell(EngineHome home, EngineHome.Address address, String job)
      throws IOException, InterruptedException {
    EngineProtocol engine = EngineConnection.open(conf, home, address, CALL_TIMEOUT_MS);
    try {
      engine.jobEnded(job);
    } finally {
      RPC.stopProxy(engine);
    }
  }

  @Override
  public void close() {
    teller.shutdownNow();
  }
}
