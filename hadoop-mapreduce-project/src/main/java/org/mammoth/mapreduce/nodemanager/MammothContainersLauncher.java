// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncher;

/**
 * Launches containers through a {@link MammothContainerExecutor} where the NodeManager's own is
 * upstream's {@link DefaultContainerExecutor}. For clusters whose code sets {@code
 * yarn.nodemanager.container-executor.class} whatever the site files say, as {@code
 * MiniMRYarnCluster} does: {@code yarn.nodemanager.containers-launcher.class} they leave alone. Any
 * other executor stays, and a node that names Mammoth's executor itself needs no such launcher.
 */
public final class MammothContainersLauncher extends ContainersLauncher {

  private Substitute executor;

  @Override
  public void init(
      Context nodeManager,
      Dispatcher dispatcher,
      ContainerExecutor given,
      LocalDirsHandlerService dirs,
      ContainerManagerImpl containers) {
    ContainerExecutor launching = given;
    if (given.getClass() == DefaultContainerExecutor.class) {
      executor = new Substitute(given);
      executor.setConf(nodeManager.getConf());
      try {
        executor.init(nodeManager);
      } catch (IOException e) {
        throw new UncheckedIOException(
            "cannot start the executor of Mammoth: " + e.getMessage(), e);
      }
      launching = executor;
    }
    super.init(nodeManager, dispatcher, launching, dirs, containers);
  }

  @Override
  protected void serviceStart() throws Exception {
    if (executor != null) {
      executor.start();
    }
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    try {
      super.serviceStop();
    } finally {
      if (executor != null) {
        executor.stop();
      }
    }
  }

  /**
   * Keeps the NodeManager's own executor up to date about pid files, from which the memory monitor
   * learns of processes.
   */
  private static final class Substitute extends MammothContainerExecutor {
    private final ContainerExecutor shadowed;

    Substitute(ContainerExecutor shadowed) {
      this.shadowed = shadowed;
    }

    @Override
    public void activateContainer(ContainerId container, Path pidFile) {
      super.activateContainer(container, pidFile);
      shadowed.activateContainer(container, pidFile);
    }

    @Override
    public void deactivateContainer(ContainerId container) {
      super.deactivateContainer(container);
      shadowed.deactivateContainer(container);
    }
  }
}
