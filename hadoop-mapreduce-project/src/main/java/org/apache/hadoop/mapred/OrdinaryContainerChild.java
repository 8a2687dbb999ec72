// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import org.apache.hadoop.conf.Configuration;

/**
 * Main class of a MapReduce task that fell back to an ordinary container of a Mammoth node: counts
 * the fall-back for the job, then is upstream's YarnChild, which is package-private.
 */
public final class OrdinaryContainerChild {

  private OrdinaryContainerChild() {}

  /** Takes YarnChild's arguments. */
  public static void main(String[] args) throws Throwable {
    Configuration.addDefaultResource("mammoth-ordinary-container.xml");
    YarnChild.main(args);
  }
}
