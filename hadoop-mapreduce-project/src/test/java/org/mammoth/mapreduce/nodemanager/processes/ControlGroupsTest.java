// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation.OperationType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.CpuResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.MemoryResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerChain;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerException;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;

/**
 * Groups by a node's handlers; those of the kernel are tried on a real node (dev-support/secured).
 */
class ControlGroupsTest {

  private static final String ENGINE = "container_1795680072044_0000_01_000001";

  private final List<String> calls = new ArrayList<>();
  private final Configuration conf = new Configuration(false);

  /** Notes what it is asked for. */
  private class Handler implements ResourceHandler {

    boolean fails;

    private List<PrivilegedOperation> note(String what) throws ResourceHandlerException {
      calls.add(what);
      if (fails) {
        throw new ResourceHandlerException("no");
      }
      return List.of(
          new PrivilegedOperation(OperationType.ADD_PID_TO_CGROUP, "cgroups=/group/tasks"));
    }

    @Override
    public List<PrivilegedOperation> bootstrap(Configuration ignored) {
      return List.of();
    }

    @Override
    public List<PrivilegedOperation> preStart(Container container) throws ResourceHandlerException {
      return note("start " + container.getContainerId() + " " + container.getResource());
    }

    @Override
    public List<PrivilegedOperation> reacquireContainer(ContainerId id) {
      return List.of();
    }

    @Override
    public List<PrivilegedOperation> updateContainer(Container container)
        throws ResourceHandlerException {
      assertThat(container.getContainerTokenIdentifier()).isNull();
      return note("update " + container.getContainerId() + " " + container.getResource());
    }

    @Override
    public List<PrivilegedOperation> postComplete(ContainerId id) {
      calls.add("end " + id);
      return List.of();
    }

    @Override
    public List<PrivilegedOperation> teardown() {
      return List.of();
    }
  }

  private class Cpu extends Handler implements CpuResourceHandler {}

  private class Memory extends Handler implements MemoryResourceHandler {}

  private static ResourceHandler chain(ResourceHandler... handlers) {
    return new ResourceHandlerChain(List.of(handlers));
  }

  @Test
  void aProcessHasTheGroupsThatAContainerOfItsSizeWouldHave() throws IOException {
    ControlGroups groups = new ControlGroups(chain(new Cpu()));
    assertThat(groups.enter(ENGINE, new UserProcesses.Size(4096, 3)))
        .isEqualTo("cgroups=/group/tasks");
    groups.resize(ENGINE, new UserProcesses.Size(4096, 5));
    groups.leave(ENGINE);
    assertThat(calls)
        .containsExactly(
            "start " + ENGINE + " <memory:4096, vCores:3>",
            "update " + ENGINE + " <memory:4096, vCores:5>",
            "end " + ENGINE);
  }

  @Test
  void theNodeManagersOwnLimitIsAnEnginesUnlessItHasAGroupForMemory() {
    assertThat(new ControlGroups(null).limitMemory()).isFalse();
    assertThat(new ControlGroups(chain(new Cpu())).limitMemory()).isFalse();
    assertThat(new ControlGroups(chain(new Cpu(), new Memory())).limitMemory()).isTrue();
    assertThat(new ControlGroups(new Memory()).limitMemory()).isTrue();
  }

  @Test
  void withoutHandlersThereAreNoGroups() throws IOException {
    ControlGroups none = new ControlGroups(null);
    assertThat(none.enter(ENGINE, new UserProcesses.Size(1, 1))).isEqualTo("cgroups=none");
    none.resize(ENGINE, new UserProcesses.Size(1, 2));
    none.leave(ENGINE);
  }

  @Test
  void groupsThatCannotBeMadeAreRemoved() {
    Cpu handler = new Cpu();
    handler.fails = true;
    ControlGroups groups = new ControlGroups(chain(handler));
    assertThatThrownBy(() -> groups.enter(ENGINE, new UserProcesses.Size(1, 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(ENGINE);
    assertThat(calls).endsWith("end " + ENGINE);
  }

  @Test
  void handlersOfWhatOneContainerAloneCanHaveAreNotForEngines() {
    assertThat(ControlGroups.unfit(null, conf)).isEmpty();
    assertThat(ControlGroups.unfit(chain(new Cpu()), conf)).isEmpty();
    assertThat(ControlGroups.unfit(chain(new Cpu(), new Handler()), conf))
        .contains(Handler.class.getSimpleName());
    conf.setBoolean(YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED, true);
    assertThat(ControlGroups.unfit(chain(new Cpu()), conf))
        .contains(YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED);
    assertThat(ControlGroups.unfit(null, conf)).isEmpty();
  }

  @Test
  void anEngineWeighsAsTheTasksInIt() {
    conf.setInt(YarnConfiguration.NM_PMEM_MB, 4096);
    conf.setInt(YarnConfiguration.NM_VCORES, 8);
    EngineSizing engine = new EngineSizing(3481, 2890, 324);
    assertThat(engine.groups(conf, 0)).isEqualTo(new UserProcesses.Size(4096, 1));
    assertThat(engine.groups(conf, 2048)).isEqualTo(new UserProcesses.Size(4096, 4));
    assertThat(engine.groups(conf, 9999)).isEqualTo(new UserProcesses.Size(4096, 8));
    assertThat(new EngineSizing(0, 768, 256).groups(conf, 0))
        .isEqualTo(new UserProcesses.Size(1536, 1));
  }
}
