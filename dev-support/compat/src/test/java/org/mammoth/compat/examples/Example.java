package org.mammoth.compat.examples;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
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
 */
record Example(
    String name,
    Supplier<Tool> tool,
    List<String> arguments,
    List<String> options,
    boolean random,
    Set<String> unsteady) {

  static Example of(String name, Supplier<Tool> tool, String... arguments) {
    return new Example(name, tool, List.of(arguments), List.of(), false, Set.of());
  }

  Example with(String... more) {
    return new Example(name, tool, arguments, List.of(more), random, unsteady);
  }

  Example randomOutput() {
    return new Example(name, tool, arguments, options, true, unsteady);
  }

  /** For programs that make up their own input. */
  Example withRandomInput() {
    return new Example(
        name,
        tool,
        arguments,
        options,
        random,
        Set.of(TaskCounter.MAP_INPUT_RECORDS.name(), TaskCounter.SPLIT_RAW_BYTES.name()));
  }

  /** For programs that put a random number or a time into the names of their files. */
  Example withNamesOfAnyLength() {
    return new Example(
        name,
        tool,
        arguments,
        options,
        random,
        Set.of(TaskCounter.SPLIT_RAW_BYTES.name(), "HDFS_BYTES_READ", "HDFS_BYTES_WRITTEN"));
  }

  @Override
  public String toString() {
    return name;
  }
}
