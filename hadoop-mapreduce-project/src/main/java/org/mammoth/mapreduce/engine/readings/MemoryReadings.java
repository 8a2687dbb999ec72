// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.readings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.api.status.DiskUse;
import org.mammoth.api.status.ElementUse;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.api.status.SendUse;
import org.mammoth.engine.memory.DecisionLog;
import org.mammoth.engine.memory.ElementPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.LedgerRow;
import org.mammoth.engine.memory.MemorySnapshot;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.mapreduce.engine.memory.NodeMemory;

/** Reads an engine's memory and disks into the records that leave the engine. */
public final class MemoryReadings {

  /** How ids of task attempts begin; the engine's own owners are called otherwise. */
  private static final String ATTEMPT = "attempt_";

  /** Rows of the data cache, as there may be very many small sets. */
  private static final int MOST_SETS = 200;

  private final NodeMemory memory;

  public MemoryReadings(NodeMemory memory) {
    this.memory = memory;
  }

  /**
   * @param running whether an attempt runs; the others of a job are added up, so that there are
   *     never many more rows than tasks
   */
  MemoryUse memory(Predicate<String> running) {
    MemorySnapshot now = memory.scheduler().snapshot();
    DecisionLog log = memory.scheduler().decisions();
    Map<String, Long> byRule = new LinkedHashMap<>();
    log.byRule().forEach((rule, count) -> byRule.put(rule.name(), count));
    return new MemoryUse(
        now.getCap(),
        now.getUsed(),
        memory.scheduler().unitBytes(),
        now.getPoolBytes(),
        now.getPoolLimit(),
        now.getPoolUsed(),
        now.isPressure(),
        now.getSortBuffer(),
        now.getMapQuota(),
        now.getBorrowed(),
        now.getReduceQuota(),
        now.getRunningMaps(),
        memory.ioBesideBytes(),
        now.getByKind(),
        leases(now.getLeases(), running),
        now.getJobs(),
        now.getReduces(),
        now.getWaiters(),
        log.total(),
        byRule);
  }

  static List<MemoryUse.Lease> leases(List<LedgerRow> rows, Predicate<String> running) {
    Map<String, MemoryUse.Lease> byWhom = new TreeMap<>();
    for (LedgerRow row : rows) {
      if (row.bytes() > 0) {
        LeaseOwner owner = row.owner();
        boolean ended = owner.attempt().startsWith(ATTEMPT) && !running.test(owner.attempt());
        MemoryUse.Lease one =
            new MemoryUse.Lease(
                owner.user(),
                owner.job(),
                ended ? "" : owner.attempt(),
                1,
                row.kind().name(),
                row.bytes());
        // One attempt has one lease of a kind; only those of ended attempts meet here.
        byWhom.merge(
            String.join("\n", owner.user(), one.job(), one.attempt(), one.kind()),
            one,
            MemoryReadings::sum);
      }
    }
    return List.copyOf(byWhom.values());
  }

  private static MemoryUse.Lease sum(MemoryUse.Lease one, MemoryUse.Lease other) {
    return new MemoryUse.Lease(
        one.user(),
        one.job(),
        one.attempt(),
        one.attempts() + other.attempts(),
        one.kind(),
        one.bytes() + other.bytes());
  }

  ElementUse elements() {
    ElementPool pool = memory.elements();
    List<ElementUse.Share> shares = new ArrayList<>();
    pool.held()
        .forEach(
            (owner, slabs) ->
                shares.add(new ElementUse.Share(owner.attempt(), owner.job(), slabs)));
    int lent = shares.stream().mapToInt(ElementUse.Share::slabs).sum();
    return new ElementUse(pool.elementBytes(), pool.slabs(), lent, shares);
  }

  SendUse send() {
    Map<String, SendUse.Job> jobs = new TreeMap<>();
    SendUse.Job total = new SendUse.Job("", 0, 0, 0, 0);
    for (MapOutput output : memory.sendBuffer().outputs()) {
      long held = output.heldBytes();
      SendUse.Job one =
          new SendUse.Job(output.job(), 1, held > 0 ? 1 : 0, held, output.fileBytes());
      jobs.merge(output.job(), one, MemoryReadings::sum);
      total = sum(total, one);
    }
    return new SendUse(
        total.outputs(),
        total.heldOutputs(),
        total.heldBytes(),
        total.fileBytes(),
        List.copyOf(jobs.values()));
  }

  private static SendUse.Job sum(SendUse.Job one, SendUse.Job other) {
    return new SendUse.Job(
        one.job(),
        one.outputs() + other.outputs(),
        one.heldOutputs() + other.heldOutputs(),
        one.heldBytes() + other.heldBytes(),
        one.fileBytes() + other.fileBytes());
  }

  /** Null where nothing is kept. */
  DataCacheUse dataCache() {
    return memory.dataCache() == null ? null : memory.dataCache().snapshot(MOST_SETS);
  }

  public List<DiskUse> disks() {
    return memory.io().snapshot();
  }
}
