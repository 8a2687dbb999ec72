// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import org.mammoth.engine.sort.groups.GroupCombiner;

/**
 * Goes through groups of values that share one key, in the order of keys only where one has been
 * asked for ({@link GroupCombiner#mindsOrder}). What it points at stays valid until the next move.
 * One thread at a time.
 */
public interface Groups {

  /** Moves to the next group, before its first value; false at the end. */
  boolean nextGroup();

  /** Moves to the next value of the group; false at its end. */
  boolean nextValue();

  /** Whether {@link #nextValue} would find one; moves nothing. */
  boolean hasNextValue();

  /** The array that holds the group's key. */
  byte[] keyBytes();

  /** Where the key begins. */
  int keyAt();

  /** Length of the key. */
  int keyLength();

  /** The array that holds the current value. */
  byte[] valueBytes();

  /** Where the value begins. */
  int valueAt();

  /** Length of the value. */
  int valueLength();

  /** Remembers the current value of the group. */
  void mark();

  /** Goes back to the value that was current at the last {@link #mark}. */
  void reset();
}
