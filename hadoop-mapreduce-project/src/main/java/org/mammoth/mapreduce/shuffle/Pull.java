// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;
import org.mammoth.engine.shuffle.client.ShuffleClient;

/** One try to fetch a segment, or the rest of it, from another node's engine. */
final class Pull implements FetchSink, Bringing {

  private final Arrival arrival;
  private final Inbox inbox;
  private final Consumer<IOException> localFailure;
  private final Window window;
  private final boolean mayLevitate;
  private volatile Fetch fetch;
  private volatile boolean refused;

  /**
   * Nothing is asked for before {@link #start}.
   *
   * @param mayLevitate whether it ends where there is no memory, instead of going to a file, unless
   *     it has to come whole
   * @param localFailure told when the reduce's own disk failed
   */
  Pull(
      Arrival arrival,
      Inbox inbox,
      long windowBytes,
      boolean mayLevitate,
      Consumer<IOException> localFailure) {
    this.arrival = arrival;
    this.inbox = inbox;
    this.localFailure = localFailure;
    this.mayLevitate = mayLevitate;
    this.window = new Window(windowBytes);
  }

  /** Asks; {@code done} is told the failure, or null, on the reduce's thread. */
  void start(
      ShuffleClient client, InetSocketAddress address, SegmentKey key, Consumer<Throwable> done) {
    long from = arrival.received();
    FetchRequest request =
        new FetchRequest(key, from, Long.MAX_VALUE - from, arrival.identity(), true);
    Fetch started = client.fetch(address, request, this);
    fetch = started;
    if (!mayLevitate) {
      window.open(started::credit);
    }
    Outcome.handle(
        started.future(),
        "The end of a fetch",
        (segment, failure) -> inbox.post(() -> done.accept(failure)));
  }

  @Override
  public void opened(SegmentInfo segment) {
    if (!arrival.opened(this, segment, !mayLevitate || segment.isUnverified())) {
      refused = true;
      inbox.post(this::cancel);
    } else if (mayLevitate) {
      // Only now: what finds no memory is not sent at all.
      inbox.post(() -> window.open(fetch::credit));
    }
  }

  /** Whether it ended because there is no memory for it. */
  boolean refused() {
    return refused;
  }

  @Override
  public void chunk(long offset, ByteBuffer data) {
    int length = data.remaining();
    byte[] forFile = arrival.append(this, data);
    if (forFile == null) {
      window.used(length);
    } else {
      inbox.post(() -> write(forFile));
    }
  }

  private void write(byte[] bytes) {
    try {
      arrival.write(bytes);
      window.used(bytes.length);
    } catch (IOException e) {
      localFailure.accept(e);
      cancel();
    }
  }

  @Override
  public void cancel() {
    Fetch started = fetch;
    if (started != null) {
      started.cancel();
    }
  }
}
