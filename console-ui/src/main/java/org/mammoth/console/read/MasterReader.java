// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mammoth.console.model.HdfsHealth;
import org.mammoth.console.model.YarnQueue;

/**
 * Asks the masters, when somebody looks, for YARN's queues and for the state of HDFS. Any thread.
 */
public final class MasterReader {

  private static final int MAX_BYTES = 32 << 20;
  private static final String HDFS = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystem";
  private static final String SAFE_MODE =
      "/jmx?get=Hadoop:service=NameNode,name=NameNodeInfo::Safemode";

  private final ClusterHttp http;
  private final Addresses addresses;
  private final Supplier<String> active;
  private final long deadlineMs;

  MasterReader(ClusterHttp http, Addresses addresses, Supplier<String> active, long deadlineMs) {
    this.http = http;
    this.addresses = addresses;
    this.active = active;
    this.deadlineMs = deadlineMs;
  }

  /**
   * The queues of the active ResourceManager.
   *
   * @param list parents first; null if it does not tell
   * @param untold why; empty if it does
   */
  public record Queues(List<YarnQueue> list, String untold) {}

  /** Never fails. */
  public CompletableFuture<Queues> queues() {
    return http.getJson(active.get(), SchedulerAdapter.PATH, deadlineMs, MAX_BYTES)
        .thenApply(SchedulerAdapter::queues)
        .handle(
            (queues, failure) ->
                failure == null
                    ? new Queues(queues, "")
                    : new Queues(null, active.get() + ": " + Failures.text(failure)));
  }

  /** What each NameNode that is active says; one that stands by is left out. Never fails. */
  public CompletableFuture<List<HdfsHealth>> hdfs() {
    List<CompletableFuture<HdfsHealth>> asked = new ArrayList<>();
    for (String nameNode : addresses.nameNodes()) {
      asked.add(
          http.getJson(nameNode, HDFS, deadlineMs, MAX_BYTES)
              .thenCombine(
                  http.getJson(nameNode, SAFE_MODE, deadlineMs, MAX_BYTES),
                  (system, safeMode) -> health(nameNode, system, safeMode)));
    }
    return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
        // One that does not answer is told of among the masters.
        .handle((done, failure) -> answered(asked));
  }

  private static List<HdfsHealth> answered(List<CompletableFuture<HdfsHealth>> asked) {
    return asked.stream()
        .filter(one -> !one.isCompletedExceptionally())
        .map(CompletableFuture::join)
        .filter(one -> one != null)
        .toList();
  }

  private static HdfsHealth health(String nameNode, JsonNode system, JsonNode safeMode) {
    JsonNode bean = system.path("beans").path(0);
    if (!bean.isObject() || bean.path("tag.HAState").asText().equals("standby")) {
      return null;
    }
    return new HdfsHealth(
        nameNode,
        safeMode.path("beans").path(0).path("Safemode").asText(""),
        number(bean, "CapacityTotal"),
        number(bean, "CapacityRemaining"),
        number(bean, "FilesTotal"),
        number(bean, "BlocksTotal"),
        number(bean, "MissingBlocks"),
        number(bean, "CorruptBlocks"),
        number(bean, "LowRedundancyBlocks"),
        number(bean, "NumLiveDataNodes"),
        number(bean, "StaleDataNodes"),
        number(bean, "NumDeadDataNodes"));
  }

  private static Long number(JsonNode bean, String field) {
    JsonNode value = bean.path(field);
    return value.isNumber() ? Long.valueOf(value.asLong()) : null;
  }
}
