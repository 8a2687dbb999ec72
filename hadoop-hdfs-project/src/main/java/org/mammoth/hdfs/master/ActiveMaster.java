// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.StandbyException;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.mammoth.mpcache.config.PathRules;
import org.mammoth.mpcache.master.BlockResolver;
import org.mammoth.mpcache.master.MasterState;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.ReplaceArbitrator;
import org.mammoth.mpcache.policy.ReplacementPolicy;
import org.mammoth.mpcache.space.DynamicSpaceManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The master's state while this NameNode is active. It is thrown away when the NameNode is found on
 * standby, and begun anew, with a higher epoch, when it is active again or a slave has heard of a
 * younger master. Upstream tells nobody of a transition, so each call looks.
 *
 * <p>The epoch is the number of the last transaction: a NameNode that becomes active has read all
 * of its predecessor's and has written one more.
 *
 * <p>Safe for any thread.
 */
final class ActiveMaster {

  private static final Logger LOG = LoggerFactory.getLogger(ActiveMaster.class);

  private static final int HISTORY_PER_TYPE = 20;
  private static final int JOB_TYPES = 1_000;

  private final NameNode nameNode;
  private final BlockResolver resolver;
  private final LongSupplier nanoClock;
  private final Map<String, Long> heard = new HashMap<>();
  private Configuration conf;
  private AdmissionFacility facility;
  private MasterState state;
  private long epoch = Long.MIN_VALUE;

  ActiveMaster(
      NameNode nameNode, Configuration conf, BlockResolver resolver, LongSupplier nanoClock) {
    this.nameNode = nameNode;
    this.conf = conf;
    this.resolver = resolver;
    this.nanoClock = nanoClock;
    // A wrong value shall be found when the daemon starts.
    begin(0);
    state = null;
  }

  /** The state, if the NameNode is active. */
  MasterState state() throws StandbyException {
    return state(Long.MIN_VALUE);
  }

  /**
   * The state, if the NameNode is active.
   *
   * @param seenEpoch the youngest master somebody has heard of
   */
  synchronized MasterState state(long seenEpoch) throws StandbyException {
    if (!nameNode.isActiveState()) {
      state = null;
      throw new StandbyException("this NameNode is not active; its part of the SSD cache rests");
    }
    if (state == null || seenEpoch > epoch) {
      begin(Math.max(nameNode.getNamesystem().getLastWrittenTransactionId(), seenEpoch + 1));
    }
    return state;
  }

  private void begin(long newEpoch) {
    epoch = newEpoch;
    heard.clear();
    facility = new AdmissionFacility(MpCacheKeys.DATA_SETS_MAX.get(conf).intValue());
    state =
        new MasterState(
            newEpoch,
            nameNode.getNamesystem().getBlockPoolId(),
            new ReplaceArbitrator(facility, MpCacheKeys.policy(conf, facility)),
            new DynamicSpaceManager(HISTORY_PER_TYPE, JOB_TYPES),
            resolver,
            MpCacheKeys.rules(conf),
            nanoClock,
            TimeUnit.SECONDS.toNanos(MpCacheKeys.ROUND_REST_S.get(conf)));
  }

  /**
   * Takes a changed configuration up: rules at once, and the policy if it is another one. On
   * standby it counts from the next time this NameNode is active.
   *
   * @param next the whole configuration; not changed by anybody later
   * @throws IllegalArgumentException if a value is wrong; nothing has changed then
   */
  synchronized void reconfigure(Configuration next) {
    PathRules rules = MpCacheKeys.rules(next);
    ReplacementPolicy policy =
        MpCacheKeys.policy(next, state == null ? new AdmissionFacility(1) : facility);
    boolean other =
        Stream.of(MpCacheKeys.POLICY, MpCacheKeys.BONUS, MpCacheKeys.VICTIM_DISTANCE)
            .anyMatch(key -> !key.get(next).equals(key.get(conf)));
    conf = next;
    if (state != null) {
      int copies = state.reconfigure(rules, other ? policy : null);
      LOG.info("{} copies leave the SSD cache by the new rules", copies);
    }
  }

  /** A slave has reported to this state. */
  synchronized void heard(String slave, MasterState by) {
    if (by == state) {
      heard.put(slave, nanoClock.getAsLong());
    }
  }

  /** Slaves that have reported lately. */
  synchronized boolean knows(String slave) {
    return heard.containsKey(slave);
  }

  /** Forgets slaves that have not reported for so long. */
  synchronized void forgetSilent(long nanos) {
    if (state == null) {
      return;
    }
    long now = nanoClock.getAsLong();
    heard
        .entrySet()
        .removeIf(
            last -> {
              boolean silent = now - last.getValue() > nanos;
              if (silent) {
                state.forget(last.getKey());
              }
              return silent;
            });
  }
}
