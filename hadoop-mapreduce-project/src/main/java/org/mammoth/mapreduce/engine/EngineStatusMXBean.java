package org.mammoth.mapreduce.engine;

/** The engine's state over JMX. */
public interface EngineStatusMXBean {

  /** The same text that the status command prints with {@code -json}, for this engine. */
  String getStatus();

  int getTasksRunning();
}
