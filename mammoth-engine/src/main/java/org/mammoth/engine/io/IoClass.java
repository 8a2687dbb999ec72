// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

/**
 * What bytes are moved for, and so how urgent that is (Mammoth paper, Shi et al. 2015, §5.1).
 * Active I/O is what a job waits for. Passive I/O only makes room: a buffer that memory is granted
 * to first is written last and read back first.
 */
public enum IoClass {
  /** Final map output, results, input: what the job itself waits for. */
  ACTIVE(0, 0),
  /** Map output held for a reduce. */
  RECEIVE(1, 3),
  /** Final map output that reduces still have to get. */
  SEND(2, 2),
  /** Sorted runs of a running map. */
  SORT(3, 1);

  /** Number of different ranks. */
  static final int RANKS = 4;

  private final int writeRank;
  private final int readRank;

  IoClass(int writeRank, int readRank) {
    this.writeRank = writeRank;
    this.readRank = readRank;
  }

  /** Place in the order of service, 0 first. Reads and writes of one rank are equals. */
  int rank(IoDirection direction) {
    return direction == IoDirection.WRITE ? writeRank : readRank;
  }
}
