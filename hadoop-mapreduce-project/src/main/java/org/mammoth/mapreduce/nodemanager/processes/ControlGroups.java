// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.processes;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation.OperationType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationException;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.CpuResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.MemoryResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerChain;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Control groups for processes that are no containers of YARN's, made by the node's own resource
 * handlers as they make those of containers: a group for CPU and for memory, below the same parent.
 * Thread-safe, as those handlers are.
 */
public final class ControlGroups {

  private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);

  private static final String NONE = PrivilegedOperation.CGROUP_ARG_PREFIX + "none";

  private final ResourceHandler handlers;

  /**
   * @param handlers of the node; null if its containers are in no groups
   */
  public ControlGroups(ResourceHandler handlers) {
    this.handlers = handlers;
  }

  /** Why these handlers cannot be applied to what is no container; empty if they can. */
  public static String unfit(ResourceHandler handlers, Configuration conf) {
    if (handlers instanceof ResourceHandlerChain chain) {
      for (ResourceHandler one : chain.getResourceHandlerList()) {
        // Others give devices, bandwidth or processors to one container and no other.
        if (!(one instanceof CpuResourceHandler || one instanceof MemoryResourceHandler)) {
          return "its containers are under " + one + ", which engines cannot be";
        }
      }
    } else if (handlers != null) {
      return "its containers are under " + handlers + ", which engines cannot be";
    }
    // Upstream ends containers by their groups when the node's memory is out, and tasks of an
    // engine have none.
    return handlers != null
            && conf.getBoolean(
                YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED,
                YarnConfiguration.DEFAULT_NM_ELASTIC_MEMORY_CONTROL_ENABLED)
        ? YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED
            + " ends single containers, and an engine has several in one process"
        : "";
  }

  /** Whether a process is in a group that limits its memory, in place of the NodeManager's own. */
  boolean limitMemory() {
    return handlers instanceof ResourceHandlerChain chain
        ? chain.getResourceHandlerList().stream().anyMatch(MemoryResourceHandler.class::isInstance)
        : handlers instanceof MemoryResourceHandler;
  }

  /**
   * Makes the groups of a process that is about to be launched.
   *
   * @param container an id, which names the groups
   * @return the argument by which {@code container-executor} puts a process into them
   * @throws IOException if the groups cannot be made; none is left
   */
  String enter(String container, UserProcesses.Size size) throws IOException {
    if (handlers == null) {
      return NONE;
    }
    try {
      List<PrivilegedOperation> operations = handlers.preStart(pseudo(container, size));
      PrivilegedOperation entries =
          PrivilegedOperationExecutor.squashCGroupOperations(
              operations == null
                  ? List.of()
                  : operations.stream()
                      .filter(one -> one.getOperationType() == OperationType.ADD_PID_TO_CGROUP)
                      .toList());
      return entries == null ? NONE : entries.getArguments().get(0);
    } catch (ResourceHandlerException | PrivilegedOperationException | RuntimeException e) {
      leave(container);
      throw new IOException("the control groups of " + container + " cannot be made", e);
    }
  }

  /** Gives the groups of a process another size. */
  void resize(String container, UserProcesses.Size size) throws IOException {
    if (handlers == null) {
      return;
    }
    try {
      handlers.updateContainer(pseudo(container, size));
    } catch (ResourceHandlerException | RuntimeException e) {
      throw new IOException("the control groups of " + container + " keep their size", e);
    }
  }

  /** Removes the groups of a process that has ended; groups that are not there are none. */
  void leave(String container) {
    if (handlers == null) {
      return;
    }
    try {
      handlers.postComplete(ContainerId.fromString(container));
    } catch (ResourceHandlerException | RuntimeException e) {
      LOG.warn("The control groups of {} are left", container, e);
    }
  }

  /** What handlers of CPU and memory ask a container for; all else is an error of ours. */
  private static Container pseudo(String container, UserProcesses.Size size) {
    ContainerId id = ContainerId.fromString(container);
    Resource resource = Resource.newInstance(size.memoryMb(), size.vcores());
    return (Container)
        Proxy.newProxyInstance(
            ControlGroups.class.getClassLoader(),
            new Class<?>[] {Container.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getContainerId" -> id;
                  case "getResource" -> resource;
                  // It runs with a guarantee, as containers do that have no such token.
                  case "getContainerTokenIdentifier" -> null;
                  case "toString" -> container;
                  default ->
                      throw new UnsupportedOperationException(
                          method.getName() + " of " + container + ", which is an engine's");
                });
  }
}
