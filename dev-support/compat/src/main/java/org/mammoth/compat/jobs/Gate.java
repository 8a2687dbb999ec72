// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * Holds first attempts at named points until the test lets them go on, so that a fault comes at a
 * moment that the test has chosen. Test and task speak through files of a local folder.
 */
public final class Gate {
  /** Closed gates: words such as {@code m-3-middle}, with commas. */
  public static final String CLOSED = "mammoth.compat.gates";

  /** Nobody waits longer than this; the test has been over for long then. */
  private static final long LONGEST_MS = 240_000;

  private static final int POLL_MS = 20;

  private final TaskInputOutputContext<?, ?, ?, ?> context;
  private final Set<String> closed;
  private final String task;
  private final boolean first;

  /** The gates of a task. */
  public Gate(TaskInputOutputContext<?, ?, ?, ?> context) {
    this.context = context;
    TaskAttemptID attempt = context.getTaskAttemptID();
    closed = Set.copyOf(context.getConfiguration().getStringCollection(CLOSED));
    task =
        (attempt.getTaskType() == TaskType.MAP ? "m-" : "r-") + attempt.getTaskID().getId() + "-";
    first = attempt.getId() == 0;
  }

  /** Goes on at once unless the gate is closed for this task. */
  public void pass(String point) throws IOException, InterruptedException {
    String name = task + point;
    if (!first || !closed.contains(name)) {
      return;
    }
    Configuration conf = context.getConfiguration();
    Path folder = Path.of(conf.get(TaskNote.FOLDER));
    Files.writeString(folder.resolve(name + ".reached"), context.getTaskAttemptID().toString());
    for (long waited = 0;
        waited < LONGEST_MS && !Files.exists(folder.resolve(name + ".open"));
        waited += POLL_MS) {
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
      context.progress();
    }
  }
}
