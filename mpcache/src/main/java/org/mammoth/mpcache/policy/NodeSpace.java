// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One node's input cache in the arbitrator's books, with its To_Del record (mpCache paper, Wang et
 * al. 2016, Algorithm 1): copies that have left the cache but still fill space there, as the node
 * was not told yet.
 */
final class NodeSpace {

  private final Map<Long, Long> marked = new LinkedHashMap<>();
  private long capacity;
  private long live;
  private long markedBytes;

  void capacity(long bytes) {
    capacity = bytes;
  }

  long capacity() {
    return capacity;
  }

  long live() {
    return live;
  }

  /** Bytes neither used nor marked; negative when capacity was taken away. */
  long free() {
    return capacity - live - markedBytes;
  }

  /** Bytes free once the marked copies are gone. */
  long available() {
    return capacity - live;
  }

  long markedBytes() {
    return markedBytes;
  }

  void add(long bytes) {
    live += bytes;
  }

  void subtract(long bytes) {
    live -= bytes;
  }

  void mark(long blockId, long bytes) {
    Long before = marked.put(blockId, bytes);
    markedBytes += bytes - (before == null ? 0 : before);
  }

  boolean isMarked(long blockId) {
    return marked.containsKey(blockId);
  }

  /** Takes the mark off; false if there was none. */
  boolean unmark(long blockId) {
    Long bytes = marked.remove(blockId);
    markedBytes -= bytes == null ? 0 : bytes;
    return bytes != null;
  }

  /** Takes the marks off all blocks but these. */
  void retainMarked(Set<Long> blocks) {
    marked.keySet().retainAll(blocks);
    markedBytes = marked.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The whole To_Del record, which is empty afterwards. */
  long[] takeMarked() {
    long[] blocks = marked.keySet().stream().mapToLong(Long::longValue).toArray();
    marked.clear();
    markedBytes = 0;
    return blocks;
  }
}
