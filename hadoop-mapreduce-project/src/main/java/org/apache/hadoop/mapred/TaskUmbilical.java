// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.mapred.SortedRanges.Range;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.checkpoint.TaskCheckpointID;
import org.mammoth.mapreduce.events.MapEvents;

/**
 * Stands between an in-engine task and its ApplicationMaster: cuts the task off when it is fenced,
 * shortens the waits that upstream's Task makes in whole seconds, and corrects the counters that a
 * thread cannot know.
 *
 * <p>What the ApplicationMaster throws goes on to the task, which counts it: its thread for
 * progress ends the task at the third failure, and its last report fails with the tenth's message,
 * such as that there are too many counters.
 *
 * <p>In Hadoop's package because {@link TaskUmbilicalProtocol#reportNextRecordRange} takes the
 * package-private {@code SortedRanges.Range}.
 */
public final class TaskUmbilical implements TaskUmbilicalProtocol {

  /** What the task's surroundings have to say; called on the task's threads. */
  public interface Surroundings {
    /** Corrects the counters of a status about to be sent. */
    void correct(Counters counters);

    /** What is sent beside the task's own counters. */
    Map<Enum<?>, Long> ownCounters();

    /** Ends the task as {@code System.exit} would end its process; does not return. */
    void exit(int status);
  }

  /** Task's exit status when its ApplicationMaster does not know it: upstream's choice. */
  private static final int EXIT_UNKNOWN = 66;

  private static final int EXIT_FENCED = 137;
  private static final long POLL_MS = 15;
  private static final long LONGEST_POLL_MS = 1_000;

  private final TaskUmbilicalProtocol master;
  private final Surroundings surroundings;
  private final MapEvents events;
  private volatile MapEvents.Reader reader;
  private volatile boolean fenced;

  /** Between questions for the commit; of the task's main thread. */
  private long commitPollMs = POLL_MS;

  /**
   * @param master proxy of the ApplicationMaster
   * @param events what the job's tasks of this engine know of its maps
   */
  public TaskUmbilical(TaskUmbilicalProtocol master, Surroundings surroundings, MapEvents events) {
    this.master = master;
    this.surroundings = surroundings;
    this.events = events;
  }

  /** From now on nothing of this task reaches the ApplicationMaster. */
  public void fence() {
    fenced = true;
  }

  private TaskUmbilicalProtocol master() {
    if (fenced) {
      surroundings.exit(EXIT_FENCED);
    }
    return master;
  }

  @Override
  public JvmTask getTask(JvmContext context) throws IOException {
    return master().getTask(context);
  }

  @Override
  public AMFeedback statusUpdate(TaskAttemptID taskId, TaskStatus status)
      throws IOException, InterruptedException {
    AMFeedback feedback = master().statusUpdate(taskId, reported(status));
    if (!feedback.getTaskFound()) {
      surroundings.exit(EXIT_UNKNOWN);
    }
    return feedback;
  }

  private TaskStatus reported(TaskStatus status) {
    if (status == null || status.getCounters() == null) {
      return status;
    }
    surroundings.correct(status.getCounters());
    return ReportedStatus.with(status, surroundings.ownCounters());
  }

  @Override
  public void reportDiagnosticInfo(TaskAttemptID taskid, String trace) throws IOException {
    master().reportDiagnosticInfo(taskid, trace);
  }

  @Override
  public void reportNextRecordRange(TaskAttemptID taskid, Range range) throws IOException {
    master().reportNextRecordRange(taskid, range);
  }

  @Override
  public void done(TaskAttemptID taskid) throws IOException {
    master().done(taskid);
    if (taskid.getTaskType() == TaskType.MAP) {
      events.expect(taskid);
    }
  }

  @Override
  public void commitPending(TaskAttemptID taskId, TaskStatus status)
      throws IOException, InterruptedException {
    master().commitPending(taskId, reported(status));
  }

  /**
   * Asks again after some milliseconds, where the caller would wait a second for each answer. Each
   * pause is twice the one before: an ApplicationMaster that must wait itself, such as for the
   * ResourceManager's return, is soon asked no more often than by stock's tasks.
   */
  @Override
  public boolean canCommit(TaskAttemptID taskid) throws IOException {
    long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_POLL_MS);
    while (!master().canCommit(taskid)) {
      if (System.nanoTime() >= giveUp || !pause(commitPollMs)) {
        return false;
      }
      commitPollMs = Math.min(2 * commitPollMs, LONGEST_POLL_MS);
    }
    return true;
  }

  @Override
  public void shuffleError(TaskAttemptID taskId, String message) throws IOException {
    master().shuffleError(taskId, message);
  }

  @Override
  public void fsError(TaskAttemptID taskId, String message) throws IOException {
    master().fsError(taskId, message);
  }

  @Override
  public void fatalError(TaskAttemptID taskId, String message, boolean fastFail)
      throws IOException {
    master().fatalError(taskId, message, fastFail);
  }

  /**
   * A new reader of the map events of the job of {@code task}, which it may ask for in its own
   * name.
   */
  public MapEvents.Reader mapEvents(TaskAttemptID task) {
    return events.reader(
        (from, most) -> master().getMapCompletionEvents(task.getJobID(), from, most, task));
  }

  private MapEvents.Reader own(TaskAttemptID task) {
    MapEvents.Reader known = reader;
    if (known == null) {
      known = mapEvents(task);
      reader = known;
    }
    return known;
  }

  /** Waits for an event, where the caller would come back after a second. */
  @Override
  public MapTaskCompletionEventsUpdate getMapCompletionEvents(
      JobID jobId, int fromIndex, int maxLocs, TaskAttemptID id) throws IOException {
    long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_POLL_MS);
    MapEvents.Reader own = own(id);
    while (true) {
      if (fenced) {
        master();
      }
      MapTaskCompletionEventsUpdate update = own.next(fromIndex, maxLocs);
      long leftMs = TimeUnit.NANOSECONDS.toMillis(giveUp - System.nanoTime());
      if (update.getMapTaskCompletionEvents().length > 0 || update.shouldReset() || leftMs <= 0) {
        return update;
      }
      try {
        own.await(fromIndex, leftMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return update;
      }
    }
  }

  @Override
  public void preempted(TaskAttemptID taskId, TaskStatus status)
      throws IOException, InterruptedException {
    master().preempted(taskId, reported(status));
  }

  @Override
  public TaskCheckpointID getCheckpointID(TaskID taskId) {
    return master().getCheckpointID(taskId);
  }

  @Override
  public void setCheckpointID(TaskID taskId, TaskCheckpointID checkpoint) {
    master().setCheckpointID(taskId, checkpoint);
  }

  @Override
  public long getProtocolVersion(String protocol, long clientVersion) throws IOException {
    return master().getProtocolVersion(protocol, clientVersion);
  }

  @Override
  public ProtocolSignature getProtocolSignature(
      String protocol, long clientVersion, int clientMethodsHash) throws IOException {
    return master().getProtocolSignature(protocol, clientVersion, clientMethodsHash);
  }

  private static boolean pause(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
