// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

/** Where a NodeManager's configuration has programs of tasks limited. */
class ChildrenLimitTest {

  private final Configuration conf = new Configuration(false);

  private boolean looks() {
    long[] now = {0};
    ChildrenLimit limit = new ChildrenLimit(conf, () -> now[0]);
    List<Object> looked = new ArrayList<>();
    now[0] = TimeUnit.HOURS.toNanos(1);
    limit.look(
        () -> {
          looked.add("looked");
          return List.<HostedContainer>of().iterator();
        });
    return !looked.isEmpty();
  }

  @Test
  void nobodyLimitsByDefault() {
    assertThat(looks()).isFalse();
    conf.setBoolean(YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED, false);
    assertThat(looks()).as("not left to the kernel").isTrue();
    conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    assertThat(looks()).isFalse();
  }

  /** The group of the engine has all its tasks' memory, and its largest process is the engine. */
  @Test
  void whatTheKernelWouldDoWithAContainersGroupIsDoneHere() {
    conf.setBoolean(YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED, true);
    assertThat(looks()).isTrue();
    conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    conf.setBoolean(YarnConfiguration.NM_CONTAINER_MONITOR_ENABLED, false);
    assertThat(looks()).as("whatever the NodeManager itself looks at").isTrue();
    conf.setBoolean(YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED, false);
    assertThat(looks()).as("groups that limit nobody").isFalse();
  }
}
