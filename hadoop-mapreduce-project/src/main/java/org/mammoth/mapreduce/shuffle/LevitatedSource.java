package org.mammoth.mapreduce.shuffle;

import java.net.InetSocketAddress;
import org.mammoth.engine.shuffle.SegmentInfo;

/** Where a segment that stays at its source is. Any thread. */
final class LevitatedSource {

  private final int number;
  private final RemoteNode node;
  private final String attempt;
  private final SegmentInfo info;
  private volatile InetSocketAddress engine;
  private volatile boolean obsolete;

  /** Bytes that have come at least once. */
  private long come;

  /**
   * A segment of which the lengths are known.
   *
   * @param number among those of the reduce, from 0
   * @param engine which told them
   */
  LevitatedSource(
      int number, RemoteNode node, String attempt, SegmentInfo info, InetSocketAddress engine) {
    this.number = number;
    this.node = node;
    this.attempt = attempt;
    this.info = info;
    this.engine = engine;
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

  /** Bytes have come; tells how many of them had come before. */
  synchronized long came(long from, long count) {
    long again = Math.max(0, Math.min(come, from + count) - from);
    come = Math.max(come, from + count);
    return again;
  }
}
