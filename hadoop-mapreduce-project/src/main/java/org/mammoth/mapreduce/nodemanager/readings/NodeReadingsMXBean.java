// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

/**
 * All that the node's engines know of themselves, over JMX: {@code
 * Mammoth:service=NodeManager,name=Engines}, readable at the NodeManager's {@code /jmx} under its
 * HTTP authentication. Engines are asked when somebody reads, at most every 500 ms, and none holds
 * a reader up for longer than 400 ms: what it said last is given then, with its age.
 */
public interface NodeReadingsMXBean {

  /** A {@link org.mammoth.api.status.NodeSnapshot} as JSON. */
  String getSnapshot();

  /** The last 1024 {@link org.mammoth.api.status.NodeDecisions} of each engine as JSON. */
  String getDecisions();

  /** The same of the last 64, for those who look each second and need the others after a gap. */
  String getLatestDecisions();

  /**
   * Where this node takes {@link org.mammoth.mapreduce.protocol.NodeAdminProtocol}; 0 if nowhere.
   */
  int getAdminPort();
}
