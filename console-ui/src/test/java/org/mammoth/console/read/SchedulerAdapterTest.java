// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.YarnQueue;

/** The queues of each of YARN's schedulers. */
class SchedulerAdapterTest {

  private static List<YarnQueue> read(String info) throws Exception {
    return SchedulerAdapter.queues(
        new ObjectMapper().readTree("{\"scheduler\":{\"schedulerInfo\":" + info + "}}"));
  }

  @Test
  void capacityWithQueuesBelow() throws Exception {
    List<YarnQueue> queues =
        read(
            """
            {"type":"capacityScheduler","capacity":100.0,"usedCapacity":60.0,"maxCapacity":100.0,
            "queueName":"root","queues":{"queue":[{"queueName":"a","state":"RUNNING",
            "absoluteCapacity":40.0,"absoluteUsedCapacity":60.0,"absoluteMaxCapacity":80.0,
            "resourcesUsed":{"memory":2,"vCores":3},"numActiveApplications":1,
            "numPendingApplications":2,"numContainers":4,"pendingContainers":5}]}}
            """);
    assertThat(queues)
        .containsExactly(
            new YarnQueue(
                "root", false, "", 100.0, 60.0, 100.0, null, null, null, null, null, null),
            new YarnQueue(
                "root.a", true, "RUNNING", 40.0, 60.0, 80.0, 2L << 20, 3L, 1L, 2L, 4L, 5L));
  }

  @Test
  void fairInSharesOfTheCluster() throws Exception {
    List<YarnQueue> queues =
        read(
            """
            {"type":"fairScheduler","rootQueue":{"queueName":"root",
            "clusterResources":{"memory":1000,"vCores":8},"usedResources":{"memory":500,"vCores":4},
            "maxResources":{"memory":1000},"childQueues":{"queue":[{"queueName":"root.a",
            "steadyFairResources":{"memory":250},"usedResources":{"memory":500,"vCores":4},
            "maxResources":{"memory":8000000},"numActiveApps":1,"numPendingApps":2}]}}}
            """);
    assertThat(queues).extracting(YarnQueue::path).containsExactly("root", "root.a");
    assertThat(queues.get(1).guaranteedPercent()).isEqualTo(25.0);
    assertThat(queues.get(1).usedPercent()).isEqualTo(50.0);
    assertThat(queues.get(1).maximumPercent()).isEqualTo(100.0);
    assertThat(queues.get(1).waitingApplications()).isEqualTo(2);
  }

  @Test
  void fifoIsOneQueue() throws Exception {
    assertThat(read("{\"type\":\"fifoScheduler\",\"usedCapacity\":0.25,\"qstate\":\"RUNNING\"}"))
        .extracting(YarnQueue::usedPercent)
        .containsExactly(25.0);
  }

  @Test
  void anotherSchedulerIsSaidToBeUnknown() {
    assertThatThrownBy(() -> read("{\"type\":\"lottery\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lottery");
  }
}
