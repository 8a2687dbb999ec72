// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.launch.HostHeap;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;

/**
 * How engines of several users share a node's memory. An engine that is alone has the node's whole
 * share; one that starts while those of other users are at work has its user's part by weight, so
 * that the memory of k users of equal weight grows with the logarithm of k at most. Idle engines of
 * others make way first, and what engines that drain hold for their last tasks is not given away a
 * second time, but for one of them. An engine that could be larger is replaced when it has no room
 * for its user's next task or, idle itself, when others have stayed away for long. Whatever its
 * size, an engine lends of its cache pool what its user's part of the node's is, while others are
 * at work.
 *
 * <p>Used under the supervisor's lock.
 */
final class EngineShares {

  /**
   * A warm engine with room for the next task is worth more than a larger cold one: it is replaced
   * only after others have been idle for so many times what it takes for theirs to make way.
   */
  private static final int PATIENCE = 6;

  private final Configuration conf;

  /** Sizes by the part of the node, up to 1; throws if that would be too small. */
  private final DoubleFunction<EngineSizing> sizes;

  private final UserWeights weights;

  /** Of an engine that is alone; null until it is asked for. */
  private EngineSizing whole;

  private final int idleKept;

  /**
   * @param idleKept how many idle engines of other users may stay when one more is needed
   */
  private EngineShares(
      Configuration conf, DoubleFunction<EngineSizing> sizes, UserWeights weights, int idleKept) {
    this.conf = conf;
    this.sizes = sizes;
    this.weights = weights;
    this.idleKept = idleKept;
  }

  /**
   * Engines of tasks, which divide the node.
   *
   * @param limitMb of the control group that each engine will be in
   */
  static EngineShares ofTasks(Configuration conf, long limitMb) {
    return new EngineShares(
        conf, part -> EngineSizing.of(conf, part, limitMb), new UserWeights(conf), 0);
  }

  /**
   * Hosts of ApplicationMasters: all of one size.
   *
   * @param idleKept how many idle ones may wait for their users when another user needs one
   */
  static EngineShares ofAppMasters(Configuration conf, int idleKept) {
    EngineSizing host = new EngineSizing(0, HostHeap.mb(new JobConf(conf)), 0);
    return new EngineShares(conf, part -> host, new UserWeights(conf), idleKept);
  }

  /**
   * Ends idle engines of others and says how large a new one may be.
   *
   * @param others open engines of other users
   * @param draining engines of any user that have tasks and take no more
   * @throws EngineUnavailableException if too little is left for one more
   */
  EngineSizing makeRoom(String user, List<EngineHandle> others, List<EngineHandle> draining)
      throws EngineUnavailableException {
    List<EngineHandle> idle = new ArrayList<>(others.stream().filter(this::isIdle).toList());
    idle.sort(Comparator.comparingLong(EngineHandle::idleMs).reversed());
    List<EngineHandle> ending = idle.subList(0, Math.max(0, idle.size() - idleKept));
    ending.forEach(engine -> engine.drain("idle, and " + user + " needs an engine"));
    List<EngineHandle> busy = others.stream().filter(other -> !ending.contains(other)).toList();
    double own = weights.of(user);
    double all = own + busy.stream().mapToDouble(other -> weights.of(other.user())).sum();
    long heldMb = heldMb(draining);
    double left = heldMb == 0 ? 1 : 1 - (double) heldMb / whole().shareMb();
    try {
      return sizes.apply(Math.min(own / all, left));
    } catch (IllegalArgumentException e) {
      throw new EngineUnavailableException(
          "engines of "
              + busy.size()
              + " other users are at work on this node, and "
              + draining.size()
              + " that drain hold "
              + heldMb
              + " MiB: "
              + e.getMessage());
    }
  }

  /**
   * What engines that drain keep from others, MiB. Their JVMs have all they were given until their
   * last task ends, which may take hours. One may stand beside its successor; if each did, a node
   * would have as many times its memory as it has long tasks.
   */
  private static long heldMb(List<EngineHandle> draining) {
    LongSummaryStatistics shares =
        draining.stream().mapToLong(engine -> engine.sizing().shareMb()).summaryStatistics();
    return draining.isEmpty() ? 0 : shares.getSum() - shares.getMax();
  }

  /**
   * Whether an engine should make way for one of its user that would be larger: others do not need
   * the memory any more, and it has too little room for the next task, or nothing to do and others
   * have not come back for long.
   *
   * @param memoryMb what that task asks for
   * @param draining engines of any user that have tasks and take no more
   */
  boolean isOutgrown(
      EngineHandle engine, long memoryMb, List<EngineHandle> others, List<EngineHandle> draining) {
    if (engine.sizing().shareMb() >= whole().shareMb() - heldMb(draining)
        || engine.state() == EngineLife.State.STARTING
        || engine.waitingContainers() > 0 && !draining.isEmpty()) {
      return false;
    }
    long yieldMs = EngineKeys.IDLE_YIELD_MS.get(conf);
    long othersIdleMs =
        others.stream().mapToLong(EngineHandle::idleMs).min().orElse(Long.MAX_VALUE);
    return engine.hasRoomFor(memoryMb)
        ? engine.idleMs() > 0 && othersIdleMs / PATIENCE > yieldMs
        : othersIdleMs > yieldMs;
  }

  /** What an engine has that is alone; {@link EngineSizing#NONE} on a node that has none. */
  EngineSizing whole() {
    if (whole == null) {
      try {
        whole = sizes.apply(1);
      } catch (IllegalArgumentException e) {
        // The NodeManager has told so when it started; engines of an earlier one may be here.
        whole = EngineSizing.NONE;
      }
    }
    return whole;
  }

  /** Who is at work, for their weights. */
  UserWeights weights() {
    return weights;
  }

  /**
   * How much of its own cache pool each engine may lend, from above 0 to 1: what its user's part of
   * the node is, by weight among the users at work. A user's engines share that part evenly.
   *
   * @param engines all there are, those that are draining too
   */
  Map<EngineHandle, Double> poolParts(List<EngineHandle> engines) {
    if (whole().equals(EngineSizing.NONE)) {
      return Map.of();
    }
    Map<String, Long> atWork =
        engines.stream()
            .filter(engine -> !isIdle(engine))
            .collect(Collectors.groupingBy(EngineHandle::user, Collectors.counting()));
    double all = atWork.keySet().stream().mapToDouble(weights::of).sum();
    Map<EngineHandle, Double> parts = new HashMap<>();
    for (EngineHandle engine : engines) {
      double weight = weights.of(engine.user());
      long own = atWork.getOrDefault(engine.user(), 0L);
      // Who is idle is told what he would have if he came back.
      double part = own == 0 ? weight / (all + weight) : weight / all / own;
      parts.put(engine, Math.min(1, part * whole().shareMb() / engine.sizing().shareMb()));
    }
    return parts;
  }

  private boolean isIdle(EngineHandle engine) {
    return engine.idleMs() > EngineKeys.IDLE_YIELD_MS.get(conf);
  }
}
