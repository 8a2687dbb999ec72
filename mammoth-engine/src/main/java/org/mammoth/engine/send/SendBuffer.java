// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The final outputs of the node's maps (Mammoth paper, Shi et al. 2015, §3.2), by job and attempt,
 * from the moment their files are complete until their job is over. Safe for any thread.
 */
public final class SendBuffer {

  private final Map<String, Map<String, MapOutput>> jobs = new ConcurrentHashMap<>();
  private final Pages pages;

  /** Keeps the tables of all outputs in memory. */
  public SendBuffer() {
    this(Pages.inMemory());
  }

  /** Keeps the tables of outputs in {@code pages}. */
  public SendBuffer(Pages pages) {
    this.pages = pages;
  }

  /** Adds an output; one of the same attempt before it is dropped. */
  public void publish(MapOutput output) {
    output.pageTo(pages);
    jobs.compute(
        output.job(),
        (job, outputs) -> {
          Map<String, MapOutput> all = outputs == null ? new ConcurrentHashMap<>() : outputs;
          MapOutput old = all.put(output.attempt(), output);
          if (old != null) {
            old.forget();
          }
          return all;
        });
  }

  /** Adds an output that was found on disk, unless one of the same attempt is here. */
  public void publishIfAbsent(MapOutput output) {
    jobs.compute(
        output.job(),
        (job, outputs) -> {
          Map<String, MapOutput> all = outputs == null ? new ConcurrentHashMap<>() : outputs;
          if (all.putIfAbsent(output.attempt(), output) == null) {
            output.pageTo(pages);
          }
          return all;
        });
  }

  /** The output of an attempt, or null. */
  public MapOutput find(String job, String attempt) {
    Map<String, MapOutput> outputs = jobs.get(job);
    return outputs == null ? null : outputs.get(attempt);
  }

  /** Drops an output, if it is still the one of its attempt: its file is another one by now. */
  public void remove(MapOutput output) {
    Map<String, MapOutput> outputs = jobs.get(output.job());
    if (outputs != null && outputs.remove(output.attempt(), output)) {
      output.forget();
    }
  }

  /** Bytes of memory that the tables of all outputs take. */
  public long tableBytes() {
    return pages.bytes();
  }

  /** Drops all of a job. */
  public void forget(String job) {
    Map<String, MapOutput> outputs = jobs.remove(job);
    if (outputs != null) {
      outputs.values().forEach(MapOutput::forget);
    }
  }

  /** All outputs at this moment. */
  public List<MapOutput> outputs() {
    List<MapOutput> all = new ArrayList<>();
    jobs.values().forEach(outputs -> all.addAll(outputs.values()));
    return all;
  }
}
