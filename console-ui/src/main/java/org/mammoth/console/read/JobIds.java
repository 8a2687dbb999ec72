// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mammoth.console.model.JobSample;

/**
 * What a job may call its own. Names of its tasks and containers come from its ApplicationMaster or
 * from a file that this has written: programs of the user's, which the console must not lend its
 * rights to.
 */
public final class JobIds {

  private static final Pattern JOB = Pattern.compile("job_(\\d+_\\d+)");

  private JobIds() {}

  /** Whether it is the name of a task of the job. */
  public static boolean isTask(JobSample job, String name) {
    return is(job, name, "task_", "_[mr]_\\d+");
  }

  /** Whether it is the name of a container of the job's application. */
  public static boolean isContainer(JobSample job, String name) {
    return is(job, name, "container_(e\\d+_)?", "_\\d+_\\d+");
  }

  private static boolean is(JobSample job, String name, String before, String after) {
    Matcher own = JOB.matcher(job.id());
    return own.matches() && name.matches(before + own.group(1) + after);
  }
}
