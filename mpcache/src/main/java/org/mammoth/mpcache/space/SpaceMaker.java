// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.space;

/**
 * Takes cached input out of a slave by the scheme of the mpCache paper (Wang et al. 2016, §3.3).
 */
@FunctionalInterface
public interface SpaceMaker {

  /**
   * Evicts cached input from this slave. Called without any lock of the tuner held.
   *
   * @param bytes how much must go, positive
   */
  void makeRoom(long bytes);
}
