// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptFinishingMonitor;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.EventHandler;
import org.junit.jupiter.api.Test;

/** Upstream's ApplicationMaster with its own jobs and states; only its containers are pretended. */
class FetchFailureDispatcherTest {

  private static final int REPORTS_THAT_COUNT = 3;

  /** Reduces miss the output of a map whose node is lost, while that node is still waited for. */
  @Test
  void aJobOutlivesReportsOfAMapThatIsAboutToBeKilled() throws Exception {
    LostNode app = new LostNode();
    Job job = app.submit(new Configuration());
    try {
      app.waitForState(job, JobState.RUNNING);
      Task map = task(job, TaskType.MAP);
      TaskAttempt lost = running(app, map);
      app.tell(lost, TaskAttemptEventType.TA_DONE);
      app.waitForInternalState(
          (TaskAttemptImpl) lost, TaskAttemptStateInternal.SUCCESS_FINISHING_CONTAINER);
      TaskAttempt reduce = running(app, task(job, TaskType.REDUCE));

      app.handle(new TaskAttemptKillEvent(lost.getID(), "its node is lost"));
      app.waitForInternalState(
          (TaskAttemptImpl) lost, TaskAttemptStateInternal.KILL_CONTAINER_CLEANUP);
      for (int i = 0; i < REPORTS_THAT_COUNT; i++) {
        app.handle(
            new JobTaskAttemptFetchFailureEvent(reduce.getID(), List.of(lost.getID()), "host"));
      }
      app.nodeIsGivenUp();

      app.waitForState(lost, TaskAttemptState.KILLED);
      assertThat(job.getState()).isEqualTo(JobState.RUNNING);
      TaskAttempt again = second(app, map);
      app.tell(again, TaskAttemptEventType.TA_DONE);
      app.waitForState(map, TaskState.SUCCEEDED);
      app.tell(reduce, TaskAttemptEventType.TA_DONE);
      app.waitForState(job, JobState.SUCCEEDED);
    } finally {
      app.stop();
    }
  }

  /** As ever: a map that has succeeded runs again if reduces cannot have its output. */
  @Test
  void aMapWhoseOutputIsMissingRunsAgain() throws Exception {
    LostNode app = new LostNode();
    Job job = app.submit(new Configuration());
    try {
      app.waitForState(job, JobState.RUNNING);
      Task map = task(job, TaskType.MAP);
      TaskAttempt first = running(app, map);
      app.tell(first, TaskAttemptEventType.TA_DONE);
      app.waitForState(map, TaskState.SUCCEEDED);
      TaskAttempt reduce = running(app, task(job, TaskType.REDUCE));
      for (int i = 0; i < REPORTS_THAT_COUNT; i++) {
        app.handle(
            new JobTaskAttemptFetchFailureEvent(reduce.getID(), List.of(first.getID()), "host"));
      }
      app.waitForState(first, TaskAttemptState.FAILED);
      second(app, map);
      assertThat(job.getState()).isEqualTo(JobState.RUNNING);
    } finally {
      app.stop();
    }
  }

  private static Task task(Job job, TaskType type) {
    return job.getTasks(type).values().iterator().next();
  }

  private static TaskAttempt running(MRApp app, Task task) throws Exception {
    app.waitForState(task, TaskState.RUNNING);
    TaskAttempt attempt = task.getAttempts().values().iterator().next();
    app.waitForState(attempt, TaskAttemptState.RUNNING);
    return attempt;
  }

  private static TaskAttempt second(MRApp app, Task task) throws Exception {
    app.waitForState(task, TaskState.RUNNING);
    TaskAttempt attempt =
        task.getAttempts().values().stream()
            .filter(any -> any.getID().getId() == 1)
            .findFirst()
            .orElseThrow();
    app.waitForState(attempt, TaskAttemptState.RUNNING);
    return attempt;
  }

  /** One map and one reduce; containers end only once the node is given up. */
  private static final class LostNode extends MRApp {

    private final LinkedBlockingQueue<ContainerLauncherEvent> waiting = new LinkedBlockingQueue<>();
    private ContainerLauncher launcher;

    LostNode() {
      super(1, 1, false, FetchFailureDispatcherTest.class.getName(), true);
    }

    @Override
    protected Dispatcher createDispatcher() {
      return new FetchFailureDispatcher(this::getContext);
    }

    /** Processes of attempts that have told of their end do not end by themselves here. */
    @Override
    @SuppressWarnings("rawtypes") // Upstream's signature.
    protected TaskAttemptFinishingMonitor createTaskAttemptFinishingMonitor(EventHandler handler) {
      return new TaskAttemptFinishingMonitor(handler);
    }

    @Override
    protected ContainerLauncher createContainerLauncher(AppContext context) {
      launcher = super.createContainerLauncher(context);
      return event -> {
        if (event.getType() == ContainerLauncher.EventType.CONTAINER_REMOTE_CLEANUP) {
          waiting.add(event);
        } else {
          launcher.handle(event);
        }
      };
    }

    void nodeIsGivenUp() throws InterruptedException {
      launcher.handle(waiting.poll(30, TimeUnit.SECONDS));
    }

    void tell(TaskAttempt attempt, TaskAttemptEventType what) {
      TaskAttemptId id = attempt.getID();
      handle(new TaskAttemptEvent(id, what));
    }

    @SuppressWarnings("unchecked") // Upstream's handler of all events.
    void handle(org.apache.hadoop.yarn.event.Event<?> event) {
      getContext().getEventHandler().handle(event);
    }
  }
}
