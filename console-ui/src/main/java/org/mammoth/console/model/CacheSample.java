// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * A DataNode's SSD cache at one moment, in bytes unless said otherwise.
 *
 * @param inputBytes space that is always Input Cache
 * @param poolBytes the Dynamic Pool, lent part included
 * @param localizedBytes space that is always Localized Cache
 * @param lentBytes the part of the pool that serves localized data
 * @param refused requests for localized space that were refused
 * @param fills copies made, by how that ended
 * @param evictions copies that have left, by reason
 * @param hits block reads served from SSD
 */
public record CacheSample(
    long timeMs,
    long inputBytes,
    long poolBytes,
    long localizedBytes,
    long lentBytes,
    long inputUsed,
    long localizedUsed,
    long refused,
    long hits,
    long misses,
    long hitBytes,
    long missBytes,
    long copies,
    long fillsWaiting,
    java.util.Map<String, Long> fills,
    java.util.Map<String, Long> evictions) {

  public long total() {
    return inputBytes + poolBytes + localizedBytes;
  }
}
