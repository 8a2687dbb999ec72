// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

/**
 * The node's engines over JMX: {@code Hadoop:service=NodeManager,name=MammothEngines}, readable at
 * the NodeManager's {@code /jmx} under its HTTP authentication.
 */
public interface NodeEnginesMXBean {

  /** JSON: switch, share, fall-backs, and each engine with its tasks. */
  String getStatus();

  boolean isEnabled();

  long getShareMb();

  long getAdmittedMb();

  int getAdmittedTasks();

  long getFallbacks();

  int getEngines();
}
