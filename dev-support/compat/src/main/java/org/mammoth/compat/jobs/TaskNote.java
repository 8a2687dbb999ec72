// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Tells the test which process ran a task: one local file per attempt with the process's id and its
 * main class.
 *
 * <p>A side channel beside counters and Hadoop file systems, so that neither changes.
 */
public final class TaskNote {
  /** Configuration key of the folder of notes. */
  public static final String FOLDER = "mammoth.compat.notes";

  private TaskNote() {}

  /** Leaves the note of a task attempt, if the job asks for notes. */
  public static void leave(Configuration conf) throws IOException {
    String folder = conf.get(FOLDER);
    if (folder == null) {
      return;
    }
    Path note = Path.of(folder).resolve(conf.get(MRJobConfig.TASK_ATTEMPT_ID));
    String command = System.getProperty("sun.java.command", "unknown");
    // An engine's tasks have numbers of their own; the kernel knows the process that they share.
    String process = Files.readString(Path.of("/proc/self/stat")).split(" ")[0];
    Files.writeString(note, process + " " + command.split(" ")[0]);
  }
}
