// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upstream's dispatcher, which leaves out that the output of a map attempt is missing if the
 * attempt does not count any more.
 *
 * <p>When a node is lost, upstream's ApplicationMaster kills the map attempts that ran there, and
 * waits for a NodeManager that does not answer ({@code
 * yarn.client.nodemanager-connect.max-wait-ms}). Reduces miss these outputs meanwhile and say so.
 * The table of states of {@code TaskAttemptImpl} takes {@code TA_TOO_MANY_FETCH_FAILURE} of an
 * attempt that is killed or failed, and has no entry for one that is about to be: the whole job
 * ends with an internal error. The map runs again either way.
 *
 * <p>Only the dispatcher's own thread changes the states of attempts, and it is the one that asks
 * here: a state cannot change between the question and the deed.
 */
public final class FetchFailureDispatcher extends AsyncDispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(FetchFailureDispatcher.class);

  private final Supplier<AppContext> context;

  /**
   * @param context of the ApplicationMaster whose dispatcher this is; asked when the first map
   *     output is missing
   */
  public FetchFailureDispatcher(Supplier<AppContext> context) {
    this.context = context;
  }

  @Override
  @SuppressWarnings("rawtypes") // Upstream's signature.
  protected void dispatch(Event event) {
    if (event.getType() == TaskAttemptEventType.TA_TOO_MANY_FETCH_FAILURE) {
      TaskAttemptId id = ((TaskAttemptEvent) event).getTaskAttemptID();
      if (isOver(id)) {
        LOG.info("The output of {} cannot be fetched, which changes nothing: it is over", id);
        return;
      }
    }
    super.dispatch(event);
  }

  private boolean isOver(TaskAttemptId id) {
    Job job = context.get().getJob(id.getTaskId().getJobId());
    Task task = job == null ? null : job.getTask(id.getTaskId());
    TaskAttempt attempt = task == null ? null : task.getAttempt(id);
    TaskAttemptState state = attempt == null ? null : attempt.getState();
    return state == TaskAttemptState.KILLED || state == TaskAttemptState.FAILED;
  }
}
