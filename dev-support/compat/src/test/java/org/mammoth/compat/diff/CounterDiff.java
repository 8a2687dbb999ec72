// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;

/**
 * Compares the counters of two runs of one job: all groups, all names, all values, except what is
 * listed here with its reason.
 *
 * <p>Immutable; each rule gives a new object with one more kind of counter left out.
 */
public final class CounterDiff {
  private static final String TASK = "org.apache.hadoop.mapreduce.TaskCounter";
  private static final String JOB = "org.apache.hadoop.mapreduce.JobCounter";
  private static final String MAMMOTH = "org.mammoth.mapreduce.";
  private static final String FILE_SYSTEM = "org.apache.hadoop.mapreduce.FileSystemCounter";

  private final Predicate<String> ignored;

  private CounterDiff(Predicate<String> ignored) {
    this.ignored = ignored;
  }

  /**
   * Leaves out times, memory sizes and what the scheduler's luck decides; two runs of stock differ
   * in these.
   */
  public static CounterDiff strict() {
    Set<String> times = Set.of("CPU_MILLISECONDS", "GC_TIME_MILLIS");
    Set<String> memory =
        Set.of(
            "PHYSICAL_MEMORY_BYTES",
            "VIRTUAL_MEMORY_BYTES",
            "COMMITTED_HEAP_BYTES",
            "MAP_PHYSICAL_MEMORY_BYTES_MAX",
            "MAP_VIRTUAL_MEMORY_BYTES_MAX",
            "REDUCE_PHYSICAL_MEMORY_BYTES_MAX",
            "REDUCE_VIRTUAL_MEMORY_BYTES_MAX");
    return new CounterDiff(
        name -> {
          String counter = name.substring(name.indexOf('/') + 1);
          if (name.startsWith(TASK)) {
            return times.contains(counter) || memory.contains(counter);
          }
          // Only ours counts there: where tasks ran and which way map output went.
          if (name.startsWith(MAMMOTH)) {
            return true;
          }
          return name.startsWith(JOB)
              && (counter.startsWith("MILLIS_")
                  || counter.startsWith("SLOTS_MILLIS_")
                  || counter.startsWith("MB_MILLIS_")
                  || counter.startsWith("VCORES_MILLIS_")
                  || counter.endsWith("_LOCAL_MAPS"));
        });
  }

  /**
   * For a side that ran in upstream's LocalJobRunner: its file system statistics are those of the
   * whole JVM, it has no scheduler, and its shuffle copies local files, which it does not count as
   * shuffle.
   */
  public CounterDiff againstLocalRunner() {
    return without(
        name ->
            name.startsWith(FILE_SYSTEM)
                || name.startsWith(JOB)
                || name.startsWith("org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter/")
                || name.startsWith(
                    "org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter/"));
  }

  /**
   * For jobs in which the moment of a spill or of an in-memory merge decides how often the combiner
   * runs and how much is merged: two runs of stock differ in these.
   */
  public CounterDiff withUnsteadySpills() {
    Set<String> unsteady =
        Set.of(
            "SPILLED_RECORDS",
            "COMBINE_INPUT_RECORDS",
            "COMBINE_OUTPUT_RECORDS",
            "MAP_OUTPUT_MATERIALIZED_BYTES",
            "REDUCE_SHUFFLE_BYTES",
            "REDUCE_INPUT_RECORDS");
    return without(
        name ->
            name.startsWith(TASK) && unsteady.contains(name.substring(TASK.length() + 1))
                || name.startsWith(FILE_SYSTEM) && name.contains("/FILE_"));
  }

  /**
   * For a side that sorts and shuffles in the engine's memory: what is not written to local disks
   * is not counted as written, and a combiner runs as often as that memory makes it.
   *
   * @param combiner whether the job has one
   */
  public CounterDiff inEngineMemory(boolean combiner) {
    return (combiner ? withUnsteadySpills() : this)
        .without(
            name ->
                name.equals(TASK + "/SPILLED_RECORDS")
                    || name.startsWith(FILE_SYSTEM) && name.contains("/FILE_BYTES"));
  }

  /**
   * For map output that is compressed and sorted by two sorters: records of equal keys stand in
   * another order, and another order has another compressed size.
   */
  public CounterDiff withCompressedMapOutput() {
    return without(
        name ->
            name.equals(TASK + "/MAP_OUTPUT_MATERIALIZED_BYTES")
                || name.equals(TASK + "/REDUCE_SHUFFLE_BYTES"));
  }

  /**
   * For records about as large as upstream's sort buffer: it does not count the bytes of those that
   * do not fit, and counts some twice that reach over the buffer's end.
   */
  public CounterDiff withRecordsLikeTheSortBuffer() {
    return without(name -> name.equals(TASK + "/MAP_OUTPUT_BYTES"));
  }

  /**
   * For maps whose threads read files of their own while another one reads the input: upstream
   * counts as input what the file system has read meanwhile, whoever read it.
   */
  public CounterDiff withThreadsThatReadFiles() {
    return without(
        name ->
            name.equals("org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter/BYTES_READ"));
  }

  /** The same for tasks of which one thread writes output while another one writes some, too. */
  public CounterDiff withThreadsThatWriteFiles() {
    return without(
        name ->
            name.equals(
                "org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter/BYTES_WRITTEN"));
  }

  /** Leaves out one more kind of counter; names are {@code group/counter}. */
  public CounterDiff without(Predicate<String> more) {
    return new CounterDiff(ignored.or(more));
  }

  /**
   * What differs, one line per counter, empty if nothing does. One that only one side lists differs
   * even if it is 0 there: who reads counters by name finds it or does not.
   */
  public List<String> compare(JobCounts left, JobCounts right) {
    Map<String, Long> leftValues = values(left);
    Map<String, Long> rightValues = values(right);
    List<String> differences = new ArrayList<>();
    Map<String, Long> all = new TreeMap<>(leftValues);
    all.putAll(rightValues);
    for (String name : all.keySet()) {
      Long a = leftValues.get(name);
      Long b = rightValues.get(name);
      if (!Objects.equals(a, b) && !ignored.test(name)) {
        differences.add(name + ": " + told(a) + " against " + told(b));
      }
    }
    return differences;
  }

  private static String told(Long value) {
    return value == null ? "not listed" : value.toString();
  }

  private static Map<String, Long> values(JobCounts job) {
    Map<String, Long> values = new TreeMap<>();
    for (CounterGroup group : job.counters()) {
      for (Counter counter : group) {
        values.put(group.getName() + "/" + counter.getName(), counter.getValue());
      }
    }
    values.computeIfPresent(
        FILE_SYSTEM + "/FILE_BYTES_WRITTEN", (name, bytes) -> bytes - job.jobFileBytes());
    return values;
  }
}
