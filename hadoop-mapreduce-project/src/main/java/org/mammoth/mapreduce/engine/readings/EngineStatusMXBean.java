// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.readings;

/** The engine's state over JMX. */
public interface EngineStatusMXBean {

  /** The same text that the status command prints with {@code -json}, for this engine. */
  String getStatus();

  /** An {@link org.mammoth.api.status.EngineSnapshot} as JSON. */
  String getSnapshot();

  /** The latest {@link org.mammoth.api.status.EngineDecisions} as JSON. */
  String getDecisions();

  int getTasksRunning();
}
