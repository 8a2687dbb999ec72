// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.io.IOException;

/** Takes records as they are collected, before any of them is sorted. One thread at a time. */
public interface Gatherer {

  /** Takes a record if there is room; false, and nothing changed, if there is none. */
  boolean addAtOnce(
      int partition, byte[] bytes, int keyAt, int keyLength, int valueAt, int valueLength);

  /**
   * Takes a record for which there was no room, after making some.
   *
   * @return false if the record has to be sorted as it is
   */
  boolean add(int partition, byte[] bytes, int keyAt, int keyLength, int valueAt, int valueLength)
      throws IOException, InterruptedException;

  /** Whether it takes no more records. */
  boolean isGivenUp();
}
