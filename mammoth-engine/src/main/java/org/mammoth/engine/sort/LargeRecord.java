// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

/**
 * A record of map output that is too large for an element: its key lies on the heap, its value in a
 * run of its own.
 *
 * @param partition where it goes
 * @param prefix of its key
 * @param head an array with the record's header and, after it, its key
 * @param start where in it the header begins
 * @param keyAt where in it the key begins
 * @param keyLength bytes of the key
 * @param valueLength bytes of the value; header, key and value are less than 2 GiB together
 * @param value has the value as its only segment
 */
record LargeRecord(
    int partition,
    long prefix,
    byte[] head,
    int start,
    int keyAt,
    int keyLength,
    int valueLength,
    Run value) {}
