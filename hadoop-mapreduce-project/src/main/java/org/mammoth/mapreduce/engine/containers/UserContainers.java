// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.mapreduce.launch.UserRules;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.UserLaunch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an engine that runs as its user does before it hosts a container, because its NodeManager
 * may not: judges the job, and makes folders, links and credentials file. Thread-safe, no lock.
 */
public final class UserContainers {

  private static final Logger LOG = LoggerFactory.getLogger(UserContainers.class);

  private final UserRules rules;
  private final HostedContainers containers;
  private final Map<String, UserRules.Judged> judged = new ConcurrentHashMap<>();

  /**
   * @param cluster the node's own configuration
   */
  public UserContainers(Configuration cluster, HostedContainers containers) {
    this.rules = new UserRules(cluster);
    this.containers = containers;
  }

  /** See {@link org.mammoth.mapreduce.protocol.EngineProtocol#launchAsUser}. */
  public String launch(ContainerLaunchSpec spec, UserLaunch launch) {
    UserFolders folders = new UserFolders(spec, launch);
    String declined = containers.launch(spec.containerId(), () -> prepare(spec, launch, folders));
    if (!declined.isEmpty() && folders.isBegun()) {
      judged.remove(spec.containerId());
      folders.remove();
    }
    return declined;
  }

  private ContainerLaunchSpec prepare(
      ContainerLaunchSpec spec, UserLaunch launch, UserFolders folders)
      throws ContainerTable.DeclinedException {
    UserRules.Judged found = rules.judge(spec, launch);
    if (!found.declined().isEmpty()) {
      throw new ContainerTable.DeclinedException(found.declined());
    }
    judged.put(spec.containerId(), found);
    try {
      folders.make(found.links());
    } catch (IOException e) {
      LOG.warn("The folders of {} could not be made", spec.containerId(), e);
      throw new ContainerTable.DeclinedException("its folders could not be made: " + e);
    }
    return found.spec();
  }

  /** A container has ended; may be told more than once. */
  public void ended(ContainerExit exit) {
    UserRules.Judged known = judged.remove(exit.containerId());
    if (known != null && exit.kind().tellsNeed()) {
      rules.learn(known, exit.need());
    }
  }
}
