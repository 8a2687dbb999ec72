// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

/** Hashing that is the same in every JVM and version. */
final class Mix {
  private Mix() {}

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  static long of(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** FNV-1a over the characters, then mixed. */
  static long of(String text) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
    }
    return of(hash);
  }
}
