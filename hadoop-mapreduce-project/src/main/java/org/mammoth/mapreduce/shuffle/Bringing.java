// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

/** Something under way for a reduce. */
interface Bringing {

  /** Ends it early; whoever waits for it is told. */
  void cancel();
}
