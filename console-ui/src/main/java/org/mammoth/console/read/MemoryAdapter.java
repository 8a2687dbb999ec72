// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.mammoth.console.read.EngineAdapter.counts;
import static org.mammoth.console.read.EngineAdapter.list;
import static org.mammoth.console.read.EngineAdapter.text;

import com.fasterxml.jackson.databind.JsonNode;
import org.mammoth.console.model.MemorySample;

/** From MemoryUse of docs/engine-json.md to the console's model. */
final class MemoryAdapter {

  private MemoryAdapter() {}

  static MemorySample memory(JsonNode memory) {
    if (!memory.isObject()) {
      return MemorySample.NONE;
    }
    return new MemorySample(
        memory.path("capBytes").asLong(),
        memory.path("usedBytes").asLong(),
        memory.path("unitBytes").asLong(),
        memory.path("poolBytes").asLong(),
        memory.path("poolLimitBytes").asLong(memory.path("poolBytes").asLong()),
        memory.path("poolUsedBytes").asLong(),
        memory.path("ioBesideBytes").asLong(),
        counts(memory.path("byKind")),
        memory.path("sortBufferBytes").asLong(),
        memory.path("mapQuotaBytes").asLong(),
        memory.path("borrowedBytes").asLong(),
        memory.path("reduceQuotaBytes").asLong(),
        memory.path("runningMaps").asInt(),
        memory.path("pressure").asBoolean(),
        memory.path("nextDecision").asLong(),
        counts(memory.path("decisionsByRule")),
        list(
            memory.path("leases"),
            lease ->
                new MemorySample.Lease(
                    text(lease, "user"),
                    text(lease, "job"),
                    text(lease, "attempt"),
                    lease.path("attempts").asLong(),
                    text(lease, "kind"),
                    lease.path("bytes").asLong())),
        list(
            memory.path("jobs"),
            job ->
                new MemorySample.JobMemory(
                    text(job, "user"),
                    text(job, "job"),
                    job.path("weight").asDouble(),
                    job.path("maps").asInt(),
                    job.path("reduces").asInt(),
                    job.path("sortBytes").asLong(),
                    job.path("sendBytes").asLong(),
                    job.path("receiveBytes").asLong(),
                    job.path("sortPeakBytes").asLong())),
        list(
            memory.path("reduces"),
            reduce ->
                new MemorySample.ReduceMemory(
                    text(reduce, "attempt"),
                    reduce.path("usedBytes").asLong(),
                    reduce.path("quotaBytes").asLong(),
                    reduce.path("desiredBytes").asLong(-1))),
        list(
            memory.path("waiters"),
            waiter ->
                new MemorySample.Waiter(
                    text(waiter, "attempt"),
                    text(waiter, "kind"),
                    waiter.path("waitedMs").asLong(),
                    waiter.path("passedBy").asInt())));
  }
}
