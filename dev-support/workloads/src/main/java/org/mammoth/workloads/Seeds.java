// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

/** One seed for each numbered record of a generator. */
final class Seeds {
  private Seeds() {}

  /**
   * Mixes both numbers (MurmurHash3's 64-bit finalizer), so that neighbouring records and
   * neighbouring seeds start far apart in the generator's cycle.
   */
  static long of(long seed, long record) {
    return mix(mix(seed) + record);
  }

  private static long mix(long value) {
    long mixed = value;
    mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
