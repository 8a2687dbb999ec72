// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.mammoth.mpcache.policy.Access;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.policy.Decision;
import org.mammoth.mpcache.policy.Decision.Outcome;
import org.mammoth.mpcache.policy.ReplaceArbitrator;
import org.mammoth.mpcache.policy.ReplacementPolicy;
import org.mammoth.mpcache.space.DynamicSpaceTuner;
import org.mammoth.mpcache.space.SpaceShares;

/**
 * Runs a trace, one job after the other, through the real arbitrator and the real tuners. A block
 * lies on one node, drawn at random, and is always read there; filling and eviction take no time.
 *
 * <p>One run per object; not thread-safe.
 */
public final class Simulator {

  private final SimulatedCluster cluster;
  private final ReplaceArbitrator arbitrator;
  private final ReplacementPolicy policy;
  private final CostModel costs;
  private final CostModel strict;
  private final DynamicSpaceTuner[] tuners;
  private final Map<String, Integer> setNumbers = new HashMap<>();

  private int jobs;
  private long reads;
  private long hits;
  private long complete;
  private double jobHits;
  private double speedups;
  private double strictSpeedups;
  private double times;
  private double seconds;
  private long localized;
  private double localizedOnSsd;
  private final Map<String, double[]> typeTimes = new TreeMap<>();

  /**
   * @param policies makes the policy on the facility it may ask
   */
  public Simulator(
      SimulatedCluster cluster,
      Function<AdmissionFacility, ReplacementPolicy> policies,
      CostModel costs) {
    this.cluster = cluster;
    this.costs = costs;
    this.strict =
        new CostModel(costs.slots(), costs.diskBytesPerSecond(), costs.ssdBytesPerSecond(), true);
    AdmissionFacility facility = new AdmissionFacility(1_000_000);
    policy = policies.apply(facility);
    arbitrator = new ReplaceArbitrator(facility, policy);
    tuners = new DynamicSpaceTuner[cluster.slaves()];
    SpaceShares shares =
        SpaceShares.of(
            cluster.cacheBytes(),
            cluster.inputShare(),
            cluster.localizedShare(),
            PaperTrace.BLOCK_BYTES);
    for (int i = 0; i < tuners.length; i++) {
      int node = i;
      tuners[node] =
          new DynamicSpaceTuner(
              shares,
              cluster.guard(),
              () -> arbitrator.usedBytes(node),
              bytes -> arbitrator.shrink(node, bytes));
      arbitrator.capacity(node, tuners[node].inputCapacity());
    }
  }

  /**
   * @param warmUp jobs at the beginning that fill the cache but do not count
   */
  public SimulationResult run(List<TraceJob> trace, int warmUp) {
    for (int i = 0; i < trace.size(); i++) {
      run(trace.get(i), i >= warmUp);
    }
    Map<String, Double> perType = new TreeMap<>();
    typeTimes.forEach((type, sum) -> perType.put(type, sum[0] / sum[1]));
    return new SimulationResult(
        policy.name(),
        jobs,
        jobHits / jobs,
        (double) hits / reads,
        (double) complete / jobs,
        speedups / jobs,
        times / jobs,
        seconds,
        strictSpeedups / jobs,
        localized == 0 ? 1 : localizedOnSsd / localized,
        perType);
  }

  private void run(TraceJob job, boolean counts) {
    double onSsd = 0;
    long[] granted = new long[tuners.length];
    // The job's localized data is there while it runs; it takes what it can get, block by block.
    for (int node = 0; node < tuners.length; node++) {
      granted[node] = acquire(node, job.localizedBytes() / tuners.length);
      onSsd += granted[node];
      arbitrator.capacity(node, tuners[node].inputCapacity());
    }
    boolean[][] missed = read(job);
    for (int node = 0; node < tuners.length; node++) {
      tuners[node].release(granted[node]);
      arbitrator.capacity(node, tuners[node].inputCapacity());
    }
    if (counts) {
      count(job, missed, job.localizedBytes() < tuners.length ? 0 : onSsd / job.localizedBytes());
    }
  }

  private long acquire(int node, long bytes) {
    long got = 0;
    while (got < bytes) {
      long step = Math.min(PaperTrace.BLOCK_BYTES, bytes - got);
      if (!tuners[node].acquire(step)) {
        break;
      }
      // Whoever grew the Localized Cache took that space out of the input's capacity.
      arbitrator.capacity(node, tuners[node].inputCapacity());
      got += step;
    }
    return got;
  }

  private boolean[][] read(TraceJob job) {
    int number = setNumbers.computeIfAbsent(job.dataSet(), path -> setNumbers.size());
    DataSetId set = new DataSetId(job.dataSet());
    List<List<Boolean>> perNode = new ArrayList<>();
    for (int node = 0; node < tuners.length; node++) {
      perNode.add(new ArrayList<>());
    }
    for (int i = 0; i < job.blocks(); i++) {
      long block = ((long) number << 32) + i;
      int node = place(block);
      Decision decision =
          arbitrator.access(
              new Access(
                  set,
                  job.blocks(),
                  job.blocks() * job.blockBytes(),
                  i == 0,
                  false,
                  block,
                  job.blockBytes(),
                  node));
      perNode
          .get(node)
          .add(decision.outcome() != Outcome.HIT && decision.outcome() != Outcome.HIT_MARKED);
    }
    boolean[][] missed = new boolean[tuners.length][];
    for (int node = 0; node < tuners.length; node++) {
      List<Boolean> flags = perNode.get(node);
      missed[node] = new boolean[flags.size()];
      for (int i = 0; i < flags.size(); i++) {
        missed[node][i] = flags.get(i);
      }
    }
    return missed;
  }

  /** The same block is always on the same node; the mixing is that of SplitMix64. */
  private int place(long block) {
    long mixed = block + cluster.seed() * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 31), tuners.length);
  }

  private void count(TraceJob job, boolean[][] missed, double onSsd) {
    int misses = 0;
    boolean[][] all = new boolean[missed.length][];
    for (int node = 0; node < missed.length; node++) {
      all[node] = new boolean[missed[node].length];
      java.util.Arrays.fill(all[node], true);
      for (boolean miss : missed[node]) {
        misses += miss ? 1 : 0;
      }
    }
    double stock = costs.time(job, all, 0).total();
    double time = costs.time(job, missed, onSsd).total();
    jobs++;
    reads += job.blocks();
    hits += job.blocks() - misses;
    complete += misses == 0 ? 1 : 0;
    jobHits += 1 - (double) misses / job.blocks();
    speedups += stock / time;
    strictSpeedups += stock / strict.time(job, missed, onSsd).total();
    times += time / stock;
    seconds += time;
    localized += job.localizedBytes();
    localizedOnSsd += onSsd * job.localizedBytes();
    double[] sum = typeTimes.computeIfAbsent(job.type(), type -> new double[2]);
    sum[0] += time / stock;
    sum[1]++;
  }
}
