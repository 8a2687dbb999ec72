// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.examples;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.Tool;

/**
 * One program of hadoop-mapreduce-examples and how it is called here.
 *
 * @param name its name in the example driver
 * @param tool makes it; null if it has only a main method that ends the JVM
 * @param arguments its arguments; {@code IN} stands for the folder of inputs, {@code OUT} for the
 *     run's own folder
 * @param options configuration in the form {@code key=value}
 * @param random whether its output is random, so that only its shape can be compared
 * @param unsteady counters that two stock runs differ in, because the program gives its files
 *     random or timed names or makes up its input
 * @param timed what in its output tells how long something took; null if nothing does
 */
record Example(
    String name,
    Supplier<Tool> tool,
    List<String> arguments,
    List<String> options,
    boolean random,
    Set<String> unsteady,
    Pattern timed) {

  static Example of(String name, Supplier<Tool> tool, String... arguments) {
    return new Example(name, tool, List.of(arguments), List.of(), false, Set.of(), null);
  }

  Example with(String... more) {
    return new Example(name, tool, arguments, List.of(more), random, unsteady, timed);
  }

  Example randomOutput() {
    return new Example(name, tool, arguments, options, true, unsteady, timed);
  }

  /** For programs that make up their own input. */
  Example withRandomInput() {
    return new Example(
        name,
        tool,
        arguments,
        options,
        random,
        Set.of(TaskCounter.MAP_INPUT_RECORDS.name(), TaskCounter.SPLIT_RAW_BYTES.name()),
        timed);
  }

  /** For programs that put a random number or a time into the names of their files. */
  Example withNamesOfAnyLength() {
    return new Example(
        name,
        tool,
        arguments,
        options,
        random,
        Set.of(TaskCounter.SPLIT_RAW_BYTES.name(), "HDFS_BYTES_READ", "HDFS_BYTES_WRITTEN"),
        timed);
  }

  /** For programs that write how long something took, as {@code pattern} finds it. */
  Example withTimes(String pattern) {
    Set<String> also = new HashSet<>(unsteady);
    also.add("BYTES_WRITTEN");
    return new Example(name, tool, arguments, options, random, also, Pattern.compile(pattern));
  }

  @Override
  public String toString() {
    return name;
  }
}
