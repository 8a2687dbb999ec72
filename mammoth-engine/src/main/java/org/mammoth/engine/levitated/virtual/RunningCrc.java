// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

/**
 * CRC-32 (IEEE 802.3, reflected) that goes on from any state, which the JDK's does not: a million
 * segments that take turns keep four bytes each. Eight bytes at a step through tables (Kounavis and
 * Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC Generation"). Any thread.
 */
final class RunningCrc {

  private static final int POLYNOMIAL = 0xEDB88320;

  private final int[][] tables = new int[8][256];

  RunningCrc() {
    for (int i = 0; i < 256; i++) {
      int crc = i;
      for (int bit = 0; bit < 8; bit++) {
        crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : POLYNOMIAL);
      }
      tables[0][i] = crc;
    }
    for (int i = 0; i < 256; i++) {
      for (int t = 1; t < 8; t++) {
        int before = tables[t - 1][i];
        tables[t][i] = before >>> 8 ^ tables[0][before & 0xff];
      }
    }
  }

  /** The checksum after {@code length} more bytes; that of no bytes is 0. */
  int update(int sum, byte[] bytes, int offset, int length) {
    int crc = ~sum;
    int at = offset;
    int end = offset + length;
    int[] t0 = tables[0];
    int[] t1 = tables[1];
    int[] t2 = tables[2];
    int[] t3 = tables[3];
    int[] t4 = tables[4];
    int[] t5 = tables[5];
    int[] t6 = tables[6];
    int[] t7 = tables[7];
    for (; end - at >= 8; at += 8) {
      crc =
          t7[(crc ^ bytes[at]) & 0xff]
              ^ t6[(crc >>> 8 ^ bytes[at + 1]) & 0xff]
              ^ t5[(crc >>> 16 ^ bytes[at + 2]) & 0xff]
              ^ t4[(crc >>> 24 ^ bytes[at + 3]) & 0xff]
              ^ t3[bytes[at + 4] & 0xff]
              ^ t2[bytes[at + 5] & 0xff]
              ^ t1[bytes[at + 6] & 0xff]
              ^ t0[bytes[at + 7] & 0xff];
    }
    for (; at < end; at++) {
      crc = crc >>> 8 ^ t0[(crc ^ bytes[at]) & 0xff];
    }
    return ~crc;
  }
}
