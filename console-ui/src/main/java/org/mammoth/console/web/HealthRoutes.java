// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.mammoth.console.model.HdfsHealth;
import org.mammoth.console.model.YarnQueue;
import org.mammoth.console.read.MasterReader;

/**
 * YARN's queues and the state of HDFS. The masters are asked when somebody looks, and not more
 * often than every {@link #KEPT_MS} ms however many look. Any thread.
 */
final class HealthRoutes {

  private static final long KEPT_MS = 3000;

  private final MasterReader masters;
  private final Clock clock;
  private CompletableFuture<Health> asked;
  private long askedMs;

  /**
   * The answer.
   *
   * @param queues null if the ResourceManager does not tell
   * @param queuesUntold why
   * @param hdfs of each active NameNode
   */
  record Health(long timeMs, List<YarnQueue> queues, String queuesUntold, List<HdfsHealth> hdfs) {}

  HealthRoutes(MasterReader masters, Clock clock) {
    this.masters = masters;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/health",
            Route.Right.ANYONE,
            "YARN's queues and the state of HDFS",
            List.of(),
            Health.class,
            call -> health()));
  }

  private Health health() throws ApiException {
    try {
      return asked().get();
    } catch (ExecutionException e) {
      throw new ApiException(502, "the masters do not answer: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "the console is being stopped");
    }
  }

  private synchronized CompletableFuture<Health> asked() {
    long now = clock.millis();
    if (asked == null || asked.isDone() && now - askedMs >= KEPT_MS) {
      askedMs = now;
      asked =
          masters
              .queues()
              .thenCombine(
                  masters.hdfs(),
                  (queues, hdfs) -> new Health(now, queues.list(), queues.untold(), hdfs));
    }
    return asked;
  }
}
