// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.util.concurrent.CompletableFuture;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/** Runs containers in processes that it keeps. Any thread. */
interface ContainerTaker {

  /**
   * Hands a container to a process of its user.
   *
   * @param task names the task across its attempts
   * @return its end, in the future
   * @throws EngineUnavailableException if it was not started
   */
  CompletableFuture<ContainerExit> submit(String task, ContainerLaunchSpec spec)
      throws EngineUnavailableException;
}
