package org.mammoth.mapreduce.engine;

/** {@link EngineStatusMXBean} over the engine's tasks. */
final class EngineStatusBean implements EngineStatusMXBean {

  private final HostedContainers tasks;

  EngineStatusBean(HostedContainers tasks) {
    this.tasks = tasks;
  }

  @Override
  public String getStatus() {
    return tasks.statusJson();
  }

  @Override
  public int getTasksRunning() {
    return tasks.runningCount();
  }
}
