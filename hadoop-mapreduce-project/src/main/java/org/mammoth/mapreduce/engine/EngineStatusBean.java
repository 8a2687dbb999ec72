package org.mammoth.mapreduce.engine;

/** {@link EngineStatusMXBean} over the engine's tasks. */
final class EngineStatusBean implements EngineStatusMXBean {

  private final HostedTasks tasks;

  EngineStatusBean(HostedTasks tasks) {
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
