// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Hadoop's classes that each record passes, made to do their work faster: those that read lines
 * ({@link FastLines}), texts ({@link FastText}), and those that count the bytes of a record ({@link
 * StatisticsSums}). They are rewritten as they load, whoever loads them first. Immutable.
 */
public final class FastRecords {

  /** Nested classes of MapReduce's tasks that ask for sums of bytes with every record. */
  private static final Set<String> TRACKERS =
      Set.of(
          "org/apache/hadoop/mapred/MapTask$TrackedRecordReader",
          "org/apache/hadoop/mapred/MapTask$NewTrackingRecordReader",
          "org/apache/hadoop/mapred/MapTask$DirectMapOutputCollector",
          "org/apache/hadoop/mapred/MapTask$NewDirectOutputCollector",
          "org/apache/hadoop/mapred/ReduceTask$OldTrackingRecordWriter",
          "org/apache/hadoop/mapred/ReduceTask$NewTrackingRecordWriter");

  private final Map<String, Function<byte[], Optional<byte[]>>> classes = new HashMap<>();

  public FastRecords() {
    classes.put("org/apache/hadoop/io/Text", FastText::rewrite);
    classes.put("org/apache/hadoop/util/LineReader", FastLines::rewrite);
    TRACKERS.forEach(name -> classes.put(name, FastRecords::withSums));
  }

  /** Internal names of the classes that are made faster. */
  public Set<String> classes() {
    return Set.copyOf(classes.keySet());
  }

  /**
   * A class as it is to be defined.
   *
   * @param name internal name of the class
   * @return the same array if it is none of these; nothing if it is, but made otherwise than is
   *     known here
   */
  public Optional<byte[]> rewrite(String name, byte[] original) {
    return classes.getOrDefault(name, Optional::of).apply(original);
  }

  private static Optional<byte[]> withSums(byte[] original) {
    byte[] code = StatisticsSums.rewrite(original);
    return code == original ? Optional.empty() : Optional.of(code);
  }
}
