// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.readings;

import org.mammoth.mapreduce.engine.containers.HostedContainers;

/** {@link EngineStatusMXBean} over the engine's tasks. */
public final class EngineStatusBean implements EngineStatusMXBean {

  private final HostedContainers tasks;
  private final EngineReadings readings;

  public EngineStatusBean(HostedContainers tasks, EngineReadings readings) {
    this.tasks = tasks;
    this.readings = readings;
  }

  @Override
  public String getStatus() {
    return tasks.statusJson();
  }

  @Override
  public String getSnapshot() {
    return readings.snapshotJson();
  }

  @Override
  public String getDecisions() {
    return readings.decisionsJson(-1, EngineReadings.MOST_DECISIONS);
  }

  @Override
  public int getTasksRunning() {
    return tasks.runningCount();
  }
}
