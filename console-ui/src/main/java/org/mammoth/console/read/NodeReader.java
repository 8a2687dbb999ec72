// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.mammoth.api.Beans;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.Decision;
import org.mammoth.console.model.NodeSample;

/** Reads one node: its NodeManager's beans, and its DataNode's. */
final class NodeReader {

  private static final int MAX_BYTES = 16 << 20;

  private final ClusterHttp http;
  private final EngineAdapter engines = new EngineAdapter();
  private final CacheAdapter caches = new CacheAdapter();
  private final long deadlineMs;

  /**
   * What a node said.
   *
   * @param engines null if the NodeManager has none of our beans
   * @param slave what the DataNode said
   * @param decisions those that are new
   * @param failure why nothing is known of its engines, or null
   */
  record Reading(NodeSample engines, Slave slave, List<Decision> decisions, Throwable failure) {

    private static Reading of(NodeSample engines, List<Decision> decisions) {
      return new Reading(engines, Slave.NONE, decisions, null);
    }
  }

  /**
   * What a DataNode said of its SSD cache.
   *
   * @param cache null if it has none, or that is not known
   * @param untold why it is not known; else empty
   */
  record Slave(CacheSample cache, String untold) {

    static final Slave NONE = new Slave(null, "");
  }

  NodeReader(ClusterHttp http, long deadlineMs) {
    this.http = http;
    this.deadlineMs = deadlineMs;
  }

  CompletableFuture<Reading> read(
      Discovery.Found node, DecisionCursor cursor, HostRates rates, long nowMs) {
    CompletableFuture<Reading> engine =
        node.nodeManager() == null
            ? CompletableFuture.completedFuture(Reading.of(null, List.of()))
            : engines(node.nodeManager(), cursor, rates, nowMs);
    CompletableFuture<Slave> cache =
        node.dataNode() == null
            ? CompletableFuture.completedFuture(Slave.NONE)
            : http.getJson(node.dataNode(), CacheAdapter.SLAVE_PATH, deadlineMs, MAX_BYTES)
                .handle((answer, failure) -> slave(node, answer, failure, nowMs));
    // A NodeManager that does not answer must not hide the SSD cache of its node.
    return engine
        .exceptionally(failure -> new Reading(null, Slave.NONE, List.of(), Failures.cause(failure)))
        .thenCombine(
            cache,
            (read, slave) -> new Reading(read.engines(), slave, read.decisions(), read.failure()));
  }

  /** A DataNode that does not answer must not hide the engines of its node. */
  private Slave slave(Discovery.Found node, JsonNode answer, Throwable failure, long nowMs) {
    if (failure == null && node.nodeManager() == null) {
      return caches.slave(answer, nowMs);
    }
    if (failure != null && absent(failure)) {
      return Slave.NONE;
    }
    if (failure != null && node.nodeManager() == null) {
      throw new CompletionException(Failures.cause(failure));
    }
    try {
      return failure == null
          ? caches.slave(answer, nowMs)
          : new Slave(null, "the DataNode: " + Failures.text(failure));
    } catch (RuntimeException e) {
      return new Slave(null, "the DataNode: " + Failures.text(e));
    }
  }

  private CompletableFuture<Reading> engines(
      String origin, DecisionCursor cursor, HostRates rates, long nowMs) {
    return http.getJson(origin, EngineAdapter.SNAPSHOT, deadlineMs, MAX_BYTES)
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return engines.parse(answer, rates, nowMs);
              }
              if (absent(failure)) {
                return null;
              }
              throw new CompletionException(Failures.cause(failure));
            })
        .thenCompose(
            sample ->
                sample == null || !cursor.wants(sample)
                    ? CompletableFuture.completedFuture(Reading.of(sample, List.of()))
                    : decisions(origin, cursor)
                        .thenApply(decisions -> Reading.of(sample, decisions)));
  }

  /**
   * A page without the bean is answered with 404 by some versions, with an empty list by others.
   */
  private static boolean absent(Throwable failure) {
    return Failures.cause(failure) instanceof ClusterHttp.StatusException status
        && status.status() == 404;
  }

  private CompletableFuture<List<Decision>> decisions(String origin, DecisionCursor cursor) {
    return logs(origin, Beans.LATEST_DECISIONS)
        .thenCompose(
            logs ->
                cursor.gap(logs)
                    ? logs(origin, Beans.DECISIONS)
                    : CompletableFuture.completedFuture(logs))
        .thenApply(cursor::take)
        // What could not be read now is still there, or not needed as much as the snapshot.
        .exceptionally(failure -> List.of());
  }

  private CompletableFuture<List<DecisionAdapter.Log>> logs(String origin, String attribute) {
    return http.getJson(origin, Beans.page(Beans.READINGS, attribute), deadlineMs, MAX_BYTES)
        .thenApply(answer -> DecisionAdapter.parse(answer, attribute));
  }
}
