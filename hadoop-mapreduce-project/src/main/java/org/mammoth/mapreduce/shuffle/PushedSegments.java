// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.client.PushReceiver;
import org.mammoth.engine.shuffle.client.Subscription;

/** What one node pushes to one reduce. Called on sockets' threads. */
final class PushedSegments implements PushReceiver {

  /** Who keeps the arrivals of the reduce. */
  interface Arrivals {
    /** The arrival that may take an offer; null refuses it. */
    Arrival admit(String mapAttempt);

    /** Something has changed with the arrival of an attempt; to be looked at by the reduce. */
    void changed(String mapAttempt);
  }

  private final Arrivals arrivals;
  private final Window window;
  private final Map<String, Arrival> coming = new ConcurrentHashMap<>();
  private Subscription subscription;
  private volatile boolean closed;

  private volatile boolean ended;

  /** Written by one thread at a time, read by another. */
  private volatile long bytes;

  PushedSegments(Arrivals arrivals, long windowBytes) {
    this.arrivals = arrivals;
    this.window = new Window(windowBytes);
  }

  /** Subscribes; {@code subscribe} is given this. */
  PushedSegments open(Function<PushReceiver, Subscription> subscribe) {
    subscription = subscribe.apply(this);
    window.opened(subscription::credit);
    return this;
  }

  @Override
  public long offer(SegmentInfo segment) {
    Arrival arrival = arrivals.admit(segment.key().mapAttempt());
    long from = arrival == null ? REFUSE : arrival.offered(this, segment);
    if (from != REFUSE) {
      coming.put(arrival.name(), arrival);
      if (closed) {
        giveUp();
      }
    }
    return from;
  }

  @Override
  public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
    int length = data.remaining();
    Arrival arrival = coming.get(segment.key().mapAttempt());
    if (arrival != null) {
      arrival.append(this, data);
    }
    bytes += length;
    window.used(length);
  }

  @Override
  public void complete(SegmentInfo segment) {
    Arrival arrival = coming.remove(segment.key().mapAttempt());
    if (arrival != null) {
      arrival.completed(this);
      arrivals.changed(segment.key().mapAttempt());
    }
  }

  @Override
  public void failed(SegmentInfo segment, ShuffleException cause) {
    Arrival arrival = coming.remove(segment.key().mapAttempt());
    if (arrival != null) {
      arrival.stopped(this);
      arrivals.changed(segment.key().mapAttempt());
    }
  }

  @Override
  public void ended(ShuffleException cause) {
    ended = true;
  }

  /** Whether the node has refused the subscription for good. */
  boolean hasEnded() {
    return ended;
  }

  /** Bytes that have come so far; to see whether any come. */
  long bytes() {
    return bytes;
  }

  /** Ends the subscription; what was under way is to be pulled. The reduce's thread. */
  void close() {
    closed = true;
    subscription.close();
    giveUp();
  }

  private void giveUp() {
    for (String attempt : coming.keySet()) {
      Arrival arrival = coming.remove(attempt);
      if (arrival != null) {
        arrival.stopped(this);
        arrivals.changed(attempt);
      }
    }
  }
}
