// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.events.MapEvents;

/** Upstream's task tells an ApplicationMaster that refuses what it says how it stands. */
class TaskUmbilicalTest {
  private static final String REFUSAL = "Too many counters: 121 max=120";

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

  private void report(int refusals) throws IOException {
    TaskUmbilicalProtocol master =
        (TaskUmbilicalProtocol)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TaskUmbilicalProtocol.class},
                (self, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("statusUpdate");
                  if (asked.incrementAndGet() <= refusals) {
                    throw new IOException(REFUSAL);
                  }
                  AMFeedback feedback = new AMFeedback();
                  feedback.setTaskFound(true);
                  return feedback;
                });
    TaskUmbilical.Surroundings surroundings =
        new TaskUmbilical.Surroundings() {
          @Override
          public void correct(Counters counters) {}

          @Override
          public void exit(int status) {
            throw new AssertionError("the task is ended with " + status);
          }
        };
    TaskAttemptID id = new TaskAttemptID("test", 1, TaskType.MAP, 0, 0);
    new MapTask("job.xml", id, 0, new TaskSplitIndex(), 1)
        .statusUpdate(new TaskUmbilical(master, surroundings, new MapEvents(1, System::nanoTime)));
  }
}
