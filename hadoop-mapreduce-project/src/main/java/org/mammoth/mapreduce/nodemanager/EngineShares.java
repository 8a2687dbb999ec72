package org.mammoth.mapreduce.nodemanager;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;

/**
 * How engines of several users share a node's memory. An engine that is alone has the node's whole
 * share; one that starts while those of k other users are at work has a part of k + 1, so that the
 * memory of all grows with the logarithm of their number at most. Idle engines of others make way
 * first, and an idle engine that could be larger is replaced when its user needs it again.
 *
 * <p>Used under the supervisor's lock.
 */
final class EngineShares {

  private final Configuration conf;

  /** Sizes by the number of parts the node is divided into; throws if one would be too small. */
  private final IntFunction<EngineSizing> sizes;

  private final int idleKept;

  /**
   * @param idleKept how many idle engines of other users may stay when one more is needed
   */
  private EngineShares(Configuration conf, IntFunction<EngineSizing> sizes, int idleKept) {
    this.conf = conf;
    this.sizes = sizes;
    this.idleKept = idleKept;
  }

  /** Engines of tasks, which divide the node. */
  static EngineShares ofTasks(Configuration conf) {
    return new EngineShares(conf, parts -> EngineSizing.of(conf, parts), 0);
  }

  /** Hosts of ApplicationMasters: all of one size, and a few idle ones may wait for their users. */
  static EngineShares ofAppMasters(Configuration conf) {
    EngineSizing host = new EngineSizing(0, EngineKeys.APP_MASTER_HOST_HEAP_MB.get(conf), 0);
    return new EngineShares(conf, parts -> host, 2);
  }

  /**
   * Ends idle engines of others and says how large a new one may be.
   *
   * @param others open engines of other users
   * @throws EngineUnavailableException if too little is left for one more
   */
  EngineSizing makeRoom(String user, List<EngineHandle> others) throws EngineUnavailableException {
    List<EngineHandle> idle = new ArrayList<>(others.stream().filter(this::isIdle).toList());
    idle.sort(Comparator.comparingLong(EngineHandle::idleMs).reversed());
    List<EngineHandle> ending = idle.subList(0, Math.max(0, idle.size() - idleKept));
    ending.forEach(engine -> engine.drain("idle, and " + user + " needs an engine"));
    int busy = others.size() - ending.size();
    try {
      return sizes.apply(busy + 1);
    } catch (IllegalArgumentException e) {
      throw new EngineUnavailableException(
          "engines of " + busy + " other users are at work on this node: " + e.getMessage());
    }
  }

  /**
   * Whether an engine should make way for a larger one of its user: others do not need the memory
   * any more, and it has nothing to do, or too little room for the next task.
   *
   * @param memoryMb what that task asks for
   */
  boolean isOutgrown(EngineHandle engine, long memoryMb, List<EngineHandle> others) {
    return engine.sizing().shareMb() < whole().shareMb()
        && (engine.idleMs() > 0 || !engine.hasRoomFor(memoryMb))
        && others.stream().allMatch(this::isIdle);
  }

  /** What an engine has that is alone. */
  EngineSizing whole() {
    return sizes.apply(1);
  }

  private boolean isIdle(EngineHandle engine) {
    return engine.idleMs() > EngineKeys.IDLE_YIELD_MS.get(conf);
  }
}
