package org.mammoth.mapreduce.shuffle;

import java.nio.ByteBuffer;
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

    /** The arrival of an attempt; null if it was dropped. */
    Arrival find(String mapAttempt);

    /** Something has changed with the arrival of an attempt; to be looked at by the reduce. */
    void changed(String mapAttempt);
  }

  private final Arrivals arrivals;
  private final Window window;
  private Subscription subscription;

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
    return arrival == null ? REFUSE : arrival.offered(segment);
  }

  @Override
  public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
    int length = data.remaining();
    Arrival arrival = arrivals.find(segment.key().mapAttempt());
    if (arrival != null) {
      arrival.append(data);
    }
    window.used(length);
  }

  @Override
  public void complete(SegmentInfo segment) {
    Arrival arrival = arrivals.find(segment.key().mapAttempt());
    if (arrival != null) {
      arrival.completed();
      arrivals.changed(segment.key().mapAttempt());
    }
  }

  @Override
  public void failed(SegmentInfo segment, ShuffleException cause) {
    Arrival arrival = arrivals.find(segment.key().mapAttempt());
    if (arrival != null) {
      arrival.stopped();
      arrivals.changed(segment.key().mapAttempt());
    }
  }

  /** Ends the subscription; the reduce's thread. */
  void close() {
    subscription.close();
  }
}
