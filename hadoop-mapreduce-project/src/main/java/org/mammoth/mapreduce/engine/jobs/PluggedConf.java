// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.mapred.JobConf;

/**
 * A task's configuration with the engine's parts in it, which are found by their keys as upstream's
 * Task looks for them, and otherwise are not there: no copy, list or file of the configuration has
 * them. A task may submit a job with its own configuration, whose tasks may run where there is no
 * engine, or none of our classes.
 */
public final class PluggedConf extends JobConf {

  /** Null while the constructors above look up keys. */
  private final Map<String, String> parts;

  /** A copy, with no part yet. */
  public PluggedConf(JobConf job) {
    super(job);
    parts = new HashMap<>();
  }

  /** Has a key answered so. Before the task runs. */
  public void plug(String key, String part) {
    parts.put(key, part);
  }

  private String part(String key) {
    return parts == null ? null : parts.get(key);
  }

  @Override
  public String get(String name) {
    String part = part(name);
    return part == null ? super.get(name) : part;
  }

  @Override
  public String get(String name, String defaultValue) {
    String part = part(name);
    return part == null ? super.get(name, defaultValue) : part;
  }

  @Override
  public String getRaw(String name) {
    String part = part(name);
    return part == null ? super.getRaw(name) : part;
  }
}
