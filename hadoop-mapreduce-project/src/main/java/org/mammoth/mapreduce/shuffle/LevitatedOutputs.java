// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;

/**
 * Outputs at their sources, whose headers are here, until nothing else is missing: as long as one
 * is held, its map may run again and another attempt's output take its place. Any thread.
 */
final class LevitatedOutputs {

  private record Held(TaskCompletionEvent event, LevitatedOutput output) {}

  private final int maps;
  private final Map<TaskID, Held> held = new HashMap<>();

  /** Maps whose output is here for good, or will never be. */
  private final BitSet there = new BitSet();

  /** For a job of {@code maps} maps. */
  LevitatedOutputs(int maps) {
    this.maps = maps;
  }

  /** Holds an output; gives the one that has to go for it, or the same if it came too late. */
  synchronized LevitatedOutput hold(TaskCompletionEvent event, LevitatedOutput output) {
    TaskID map = event.getTaskAttemptId().getTaskID();
    if (there.get(map.getId())) {
      return output;
    }
    Held before = held.put(map, new Held(event, output));
    return before == null ? null : before.output;
  }

  /** Gives up the output of an attempt; null if it is not held. */
  synchronized LevitatedOutput release(TaskAttemptID attempt) {
    Held known = held.get(attempt.getTaskID());
    if (known == null || !known.event.getTaskAttemptId().equals(attempt)) {
      return null;
    }
    held.remove(attempt.getTaskID());
    return known.output;
  }

  /**
   * A map's output is here, or its map has failed for good; gives the output that is not needed.
   */
  synchronized LevitatedOutput isThere(TaskID map) {
    there.set(map.getId());
    Held known = held.remove(map);
    return known == null ? null : known.output;
  }

  /** Whether any is held. */
  synchronized boolean holds() {
    return !held.isEmpty();
  }

  /** Maps whose output is here, or at its source with its header here. */
  synchronized int count() {
    return there.cardinality() + held.size();
  }

  /** The part of the job's maps whose output is here or at its source. */
  synchronized float part() {
    return maps == 0 ? 1 : Math.min(1f, (float) count() / maps);
  }

  /** Gives all that are held if they are all that is missing, else none. */
  synchronized Map<TaskCompletionEvent, LevitatedOutput> takeAllIfLast() {
    if (held.isEmpty() || there.cardinality() + held.size() < maps) {
      return Map.of();
    }
    Map<TaskCompletionEvent, LevitatedOutput> all = new LinkedHashMap<>();
    held.values().forEach(each -> all.put(each.event, each.output));
    held.clear();
    return all;
  }

  /** Gives up everything. */
  synchronized List<LevitatedOutput> releaseAll() {
    List<LevitatedOutput> all = new ArrayList<>();
    held.values().forEach(each -> all.add(each.output));
    held.clear();
    return all;
  }
}
