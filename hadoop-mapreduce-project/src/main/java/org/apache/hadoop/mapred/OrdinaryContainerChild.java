// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import org.apache.hadoop.ipc.EngineOfProtocol;

/**
 * Main class of a MapReduce task that fell back to an ordinary container of a Mammoth node: counts
 * the fall-back for the job, then is upstream's YarnChild, which is package-private.
 */
public final class OrdinaryContainerChild {

  private OrdinaryContainerChild() {}

  /** Takes YarnChild's arguments. */
  public static void main(String[] args) throws Throwable {
    EngineOfProtocol.set(TaskUmbilicalProtocol.class, FallbackCountingRpcEngine.class);
    YarnChild.main(args);
  }
}
