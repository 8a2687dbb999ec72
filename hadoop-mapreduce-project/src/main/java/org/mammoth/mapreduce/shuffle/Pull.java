package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;
import org.mammoth.engine.shuffle.client.ShuffleClient;

/** One try to fetch a segment, or the rest of it, from another node's engine. */
final class Pull implements FetchSink {

  private final Arrival arrival;
  private final Inbox inbox;
  private final Consumer<IOException> localFailure;
  private final Window window;
  private volatile Fetch fetch;

  /**
   * Nothing is asked for before {@link #start}.
   *
   * @param localFailure told when the reduce's own disk failed
   */
  Pull(Arrival arrival, Inbox inbox, long windowBytes, Consumer<IOException> localFailure) {
    this.arrival = arrival;
    this.inbox = inbox;
    this.localFailure = localFailure;
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
    window.open(started::credit);
    started.future().whenComplete((segment, failure) -> inbox.post(() -> done.accept(failure)));
  }

  @Override
  public void opened(SegmentInfo segment) {
    arrival.opened(this, segment);
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

  /** Ends it early; {@code done} is told. */
  void cancel() {
    Fetch started = fetch;
    if (started != null) {
      started.cancel();
    }
  }
}
