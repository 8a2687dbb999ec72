// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.events.MapEvents;

/** Upstream's task tells an ApplicationMaster that refuses what it says how it stands. */
class TaskUmbilicalTest {
  private static final String REFUSAL = "Too many counters: 121 max=120";

  private static final TaskAttemptID TASK = new TaskAttemptID("test", 1, TaskType.MAP, 0, 0);

  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void theRefusalOfALastReportIsTheTasksOwnError() {
    assertThatThrownBy(() -> report(Integer.MAX_VALUE))
        .isInstanceOf(IOException.class)
        .hasMessage(REFUSAL);
    assertThat(asked).hasValue(10);
  }

  @Test
  void aReportIsTriedAsOftenAsInAProcess() throws IOException {
    report(9);
    assertThat(asked).hasValue(10);
  }

  /** It may be without its ResourceManager for minutes, and has all the job's reduces to answer. */
  @Test
  void anApplicationMasterThatGrantsNoCommitIsSoonAskedAsSeldomAsByStock() throws IOException {
    TaskUmbilical umbilical =
        umbilical(
            method -> {
              assertThat(method).isEqualTo("canCommit");
              asked.incrementAndGet();
              return false;
            });
    int calls = 3; // of upstream's task, of a second and more
    for (int i = 0; i < calls; i++) {
      assertThat(umbilical.canCommit(TASK)).isFalse();
    }
    int whileItDoubles = 7;
    assertThat(asked.get()).isBetween(calls, whileItDoubles + 2 * calls);
  }

  private void report(int refusals) throws IOException {
    TaskUmbilical umbilical =
        umbilical(
            method -> {
              assertThat(method).isEqualTo("statusUpdate");
              if (asked.incrementAndGet() <= refusals) {
                throw new IOException(REFUSAL);
              }
              AMFeedback feedback = new AMFeedback();
              feedback.setTaskFound(true);
              return feedback;
            });
    new MapTask("job.xml", TASK, 0, new TaskSplitIndex(), 1).statusUpdate(umbilical);
  }

  private interface Master {
    Object answer(String method) throws IOException;
  }

  private TaskUmbilical umbilical(Master answers) {
    TaskUmbilicalProtocol master =
        (TaskUmbilicalProtocol)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TaskUmbilicalProtocol.class},
                (self, method, arguments) -> answers.answer(method.getName()));
    TaskUmbilical.Surroundings surroundings =
        new TaskUmbilical.Surroundings() {
          @Override
          public void correct(Counters counters) {}

          @Override
          public Map<Enum<?>, Long> ownCounters() {
            return Map.of();
          }

          @Override
          public void exit(int status) {
            throw new AssertionError("the task is ended with " + status);
          }
        };
    return new TaskUmbilical(master, surroundings, new MapEvents(1, System::nanoTime));
  }
}
