// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.net.InetSocketAddress;
import org.mammoth.engine.shuffle.SegmentInfo;

/** Where a segment that stays at its source is. Any thread. */
final class LevitatedSource {

  private final int number;
  private final RemoteNode node;
  private final String attempt;
  private final SegmentInfo info;
  private final String url;
  private volatile InetSocketAddress engine;
  private volatile boolean obsolete;

  private volatile Throwable leftToRescue;

  private boolean ended;

  /** Bytes that have come at least once. */
  private long come;

  /**
   * A segment of which the lengths are known.
   *
   * @param number among those of the reduce, from 0
   * @param engine which told them
   * @param url of the node's stock shuffle, as events name it; null of a stream that the node's
   *     engine merges, which only that has
   */
  LevitatedSource(
      int number,
      RemoteNode node,
      String attempt,
      SegmentInfo info,
      InetSocketAddress engine,
      String url) {
    this.number = number;
    this.node = node;
    this.attempt = attempt;
    this.info = info;
    this.engine = engine;
    this.url = url;
  }

  int number() {
    return number;
  }

  RemoteNode node() {
    return node;
  }

  String attempt() {
    return attempt;
  }

  SegmentInfo info() {
    return info;
  }

  /** Whether it is a stream that its node's engine merges. */
  boolean isStream() {
    return url == null;
  }

  /** It is not wanted any more; false if that was known. */
  synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  String url() {
    return url;
  }

  InetSocketAddress engine() {
    return engine;
  }

  /** Another engine serves it from now on. */
  void movedTo(InetSocketAddress other) {
    engine = other;
  }

  /** Its map runs again: what cannot be read at once will never be. */
  void becomeObsolete() {
    obsolete = true;
  }

  boolean isObsolete() {
    return obsolete;
  }

  /** No engine is asked for it any more. */
  void leaveToRescue(Throwable why) {
    leftToRescue = why;
  }

  /** Why no engine is asked for it any more; null if one is. */
  Throwable leftToRescue() {
    return leftToRescue;
  }

  /** Bytes that have come at least once. */
  synchronized long cameBytes() {
    return come;
  }

  /** Bytes have come; tells how many of them had come before. */
  synchronized long came(long from, long count) {
    long again = Math.max(0, Math.min(come, from + count) - from);
    come = Math.max(come, from + count);
    return again;
  }
}
