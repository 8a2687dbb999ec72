// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.mammoth.console.read.EngineAdapter.list;

import org.mammoth.api.status.MemoryUse;
import org.mammoth.console.model.MemorySample;

/** From an engine's memory to the console's model. */
final class MemoryAdapter {

  private MemoryAdapter() {}

  static MemorySample memory(MemoryUse memory) {
    if (memory == null) {
      return MemorySample.NONE;
    }
    return new MemorySample(
        memory.capBytes(),
        memory.usedBytes(),
        memory.unitBytes(),
        memory.poolBytes(),
        memory.poolLimitBytes(),
        memory.poolUsedBytes(),
        memory.ioBesideBytes(),
        memory.byKind(),
        memory.sortBufferBytes(),
        memory.mapQuotaBytes(),
        memory.borrowedBytes(),
        memory.reduceQuotaBytes(),
        memory.runningMaps(),
        memory.pressure(),
        memory.nextDecision(),
        memory.decisionsByRule(),
        list(
            memory.leases(),
            lease ->
                new MemorySample.Lease(
                    lease.user(),
                    lease.job(),
                    lease.attempt(),
                    lease.attempts(),
                    lease.kind(),
                    lease.bytes())),
        list(
            memory.jobs(),
            job ->
                new MemorySample.JobMemory(
                    job.user(),
                    job.job(),
                    job.weight(),
                    job.maps(),
                    job.reduces(),
                    job.sortBytes(),
                    job.sendBytes(),
                    job.receiveBytes(),
                    job.sortPeakBytes())),
        list(
            memory.reduces(),
            reduce ->
                new MemorySample.ReduceMemory(
                    reduce.attempt(),
                    reduce.usedBytes(),
                    reduce.quotaBytes(),
                    reduce.desiredBytes())),
        list(
            memory.waiters(),
            waiter ->
                new MemorySample.Waiter(
                    waiter.attempt(), waiter.kind(), waiter.waitedMs(), waiter.passedBy())));
  }
}
