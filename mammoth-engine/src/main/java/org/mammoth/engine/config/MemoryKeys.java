// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;
import org.mammoth.config.names.KeyNames;

/** Every configuration key of the engine's memory for intermediate data. */
public final class MemoryKeys {

  public static final ConfigKey<BufferType> BUFFER_TYPE =
      ConfigKey.ofChoice(
              "mammoth.memory.buffer.type",
              BufferType.DIRECT,
              BufferType.class,
              Scope.NODE,
              "Where the cache pool lies: direct buffers outside the Java heap, buffers on the heap, or"
                  + " bare arrays.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> UNIT_KB =
      ConfigKey.ofLong(
          "mammoth.memory.unit-kb",
          2_048,
          4,
          65_536,
          "KiB",
          Scope.NODE,
          "Size of a cache unit, the grain of all sorting, sending, receiving and spilling.");

  public static final ConfigKey<Double> POOL_FRACTION =
      ConfigKey.ofFraction(
              "mammoth.memory.pool-fraction",
              0.30,
              Scope.NODE,
              "The part of the engine's share of the node that becomes the cache pool.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> ELEMENT_KB =
      ConfigKey.ofLong(
          "mammoth.memory.element-kb",
          1_024,
          4,
          65_536,
          "KiB",
          Scope.NODE,
          "Size of an element, in which a map's unsorted records are collected.");

  public static final ConfigKey<Long> ELEMENT_QUEUE_MB =
      ConfigKey.ofLong(
          "mammoth.memory.element-queue-mb",
          0,
          0,
          16_384,
          "MiB",
          Scope.NODE,
          "Unsorted records each map slot may collect before they are merged into a sorted run; 0"
              + " divides mammoth.memory.element-fraction among the slots.");

  public static final ConfigKey<Double> ELEMENT_FRACTION =
      ConfigKey.ofFraction(
              "mammoth.memory.element-fraction",
              0.15,
              Scope.NODE,
              "The part of the engine's share that becomes the element pool when"
                  + " mammoth.memory.element-queue-mb is 0.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Double> HIGH_WATERMARK =
      ConfigKey.ofFraction(
          KeyNames.HIGH_WATERMARK,
          0.90,
          Scope.NODE,
          "From this part of the cache pool in use on, memory is revoked before somebody waits.");

  public static final ConfigKey<Double> LOW_WATERMARK =
      ConfigKey.ofFraction(
          "mammoth.memory.watermark.low",
          0.75,
          Scope.NODE,
          "Below this part of the cache pool in use such revoking ends.");

  public static final ConfigKey<ReduceSplit> REDUCE_SPLIT =
      ConfigKey.ofChoice(
          "mammoth.memory.reduce.split",
          ReduceSplit.NEED,
          ReduceSplit.class,
          Scope.NODE,
          "How running reduces of a job share memory: even, or by need, as their predicted sizes"
              + " say.");

  public static final ConfigKey<Long> GUARANTEED_UNITS =
      ConfigKey.ofLong(
          "mammoth.memory.map.guaranteed-units",
          4,
          1,
          1_024,
          "units",
          Scope.NODE,
          "Cache units each running map can always get, whatever others hold.");

  public static final ConfigKey<Long> DECISIONS =
      ConfigKey.ofLong(
              "mammoth.memory.decisions",
              1_024,
              1,
              1L << 20,
              "events",
              Scope.NODE,
              "Decisions of the cache scheduler kept for the console.")
          .tagged(Tag.DEBUG);

  public static final ConfigKey<Boolean> LEAK_CHECK =
      ConfigKey.ofBoolean(
              "mammoth.memory.leak-check",
              false,
              Scope.NODE,
              "Whether the cache pool watches for units given back twice, written after they were given"
                  + " back, or never given back. For tests and diagnosis; slow.")
          .tagged(Tag.DEBUG);

  public static final ConfigKey<ShareWeights> USER_WEIGHTS =
      ConfigKey.of(
              "mammoth.memory.user.weights",
              "",
              "name=weight from 1 to 10000, ...",
              Scope.NODE,
              "How users at work on one node share its memory, as in etl=300,ann=50; who is not named"
                  + " has 100. A user's engine has that part of the node's cache pool while others have"
                  + " tasks, and all of it otherwise.",
              ShareWeights::listed)
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<ShareWeights> QUEUE_WEIGHTS =
      ConfigKey.of(
              "mammoth.memory.queue.weights",
              "",
              "name=weight from 1 to 10000, ...",
              Scope.NODE,
              "The same for queues of YARN, by the name a job was submitted to, as in production=300; a"
                  + " queue that is not named has 100. Multiplies the weights of its jobs, and that of a"
                  + " user by the best of the queues of his running tasks.",
              ShareWeights::listed)
          .tagged(Tag.PERFORMANCE);

  private MemoryKeys() {}
}
