// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;

/** Configuration keys of the engine's sort and shuffle. */
public final class SortKeys {

  public static final ConfigKey<Boolean> SORT =
      ConfigKey.ofBoolean(
          "mammoth.sort.enabled",
          true,
          Scope.JOB,
          "Whether maps in the engine sort in the engine's memory; false gives each the sort buffer"
              + " of stock Hadoop.");

  public static final ConfigKey<Boolean> SHUFFLE =
      ConfigKey.ofBoolean(
          "mammoth.shuffle.enabled",
          true,
          Scope.JOB,
          "Whether reduces in the engine take map output of their node from the engine's memory and"
              + " merge without disk; false gives each the shuffle of stock Hadoop.");

  public static final ConfigKey<Boolean> HASH_GROUPING =
      ConfigKey.ofBoolean(
          "mammoth.sort.hash-grouping",
          true,
          Scope.JOB,
          "Whether records of equal keys are gathered in a hash table before they are sorted, so"
              + " that a combiner runs on them there and each key is sorted once; false sorts every"
              + " record, as stock Hadoop does.");

  public static final ConfigKey<Boolean> STOCK_ORDER =
      ConfigKey.ofBoolean(
          "mammoth.sort.stock-order",
          true,
          Scope.JOB,
          "Whether maps sort and merge what stock Hadoop sorts and merges at a time"
              + " (mapreduce.task.io.sort.mb, mapreduce.map.sort.spill.percent), so that equal keys"
              + " come in its order and a combiner runs as often as there; and whether reduces keep its"
              + " order where mammoth.shuffle.merge is virtual or node. Where neither shows in the"
              + " result (sums, minima and maxima of whole numbers, keys that come once) it costs"
              + " nothing; else false is faster.");

  public static final ConfigKey<Long> JOB_WEIGHT =
      ConfigKey.ofLong(
          "mammoth.memory.job.weight",
          100,
          1,
          10_000,
          "",
          Scope.JOB,
          "The job's share of the cache pool compared with the other jobs of the node; doubled or"
              + " halved by each step of mapreduce.job.priority, and multiplied by what"
              + " mammoth.memory.queue.weights says of its queue.");

  private SortKeys() {}
}
