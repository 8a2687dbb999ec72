// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.ProtocolException;

/**
 * Everything for one partition or more, pushed: segments are offered as they appear, those accepted
 * are sent one after the other. Event loop only, except for what {@link Pusher} calls.
 */
final class SubscriptionStream extends OutStream {

  /** Offers on their way or undecided at the client; more wait here, as a few numbers each. */
  private static final int MAX_UNANSWERED = 256;

  /** Far more than an engine has reduces of one job at once. */
  private static final int MAX_PARTITIONS = 4_096;

  private final ChannelHandlerContext ctx;
  private final Consumer<SubscriptionStream> readyAgain;
  private final Consumer<Transfer> dropped;

  private final ArrayDeque<SegmentInfo> unannounced = new ArrayDeque<>();
  private final Map<Integer, SegmentInfo> unanswered = new HashMap<>();
  private final ArrayDeque<Transfer> accepted = new ArrayDeque<>();
  private final Map<Integer, PartitionSubscriber> subscribers = new HashMap<>();
  private int announced;

  /**
   * A stream of {@code request}.
   *
   * @param readyAgain called when there is something to send again
   * @param dropped called with a transfer that is not to go on, to free what it holds
   */
  SubscriptionStream(
      ChannelHandlerContext ctx,
      Frame.Subscribe request,
      int maxChunk,
      Consumer<SubscriptionStream> readyAgain,
      Consumer<Transfer> dropped) {
    super(
        request.stream(), request.job(), Math.min(request.chunkSize(), maxChunk), request.credit());
    this.ctx = ctx;
    this.readyAgain = readyAgain;
    this.dropped = dropped;
  }

  /**
   * Offers one partition more.
   *
   * @param readers as {@link Pusher#add}
   */
  void want(int partition, Pusher pusher, Readers readers) {
    if (subscribers.size() >= MAX_PARTITIONS) {
      throw new ProtocolException("a subscription of more than " + MAX_PARTITIONS + " partitions");
    }
    PartitionSubscriber subscriber = new PartitionSubscriber(partition);
    if (subscribers.putIfAbsent(partition, subscriber) != null) {
      throw new ProtocolException("the partition " + partition + " is wanted already");
    }
    pusher.add(subscriber, readers);
  }

  /** Offers a partition no longer, and sends no more of it. */
  void unwant(int partition, Pusher pusher) {
    PartitionSubscriber subscriber = subscribers.remove(partition);
    if (subscriber != null) {
      pusher.remove(subscriber);
      drop(key -> key.partition() == partition, Reason.NOT_WANTED, "as the client wants it");
    }
  }

  /** The stream is closed. */
  void unwantAll(Pusher pusher) {
    subscribers.values().forEach(pusher::remove);
    subscribers.clear();
  }

  /** One partition, as the pusher knows it. */
  private final class PartitionSubscriber implements Pusher.Subscriber {

    private final int partition;

    PartitionSubscriber(int partition) {
      this.partition = partition;
    }

    @Override
    public String job() {
      return job;
    }

    @Override
    public int partition() {
      return partition;
    }

    @Override
    public void offered(SegmentInfo segment) {
      Loops.run(
          ctx,
          () -> {
            if (!closed && subscribers.get(partition) == this) {
              unannounced.add(segment);
              announce();
            }
          });
    }

    @Override
    public void withdrawn(String mapAttempt) {
      Loops.run(
          ctx,
          () ->
              drop(
                  key -> key.partition() == partition && key.mapAttempt().equals(mapAttempt),
                  Reason.REVOKED,
                  mapAttempt + " left the server's memory"));
    }
  }

  private void announce() {
    boolean any = false;
    while (unanswered.size() < MAX_UNANSWERED && !unannounced.isEmpty()) {
      SegmentInfo info = unannounced.poll();
      unanswered.put(announced, info);
      ctx.write(FetchStream.segmentFrame(id, announced, info));
      announced++;
      any = true;
    }
    if (any) {
      ctx.flush();
    }
  }

  private void drop(Predicate<SegmentKey> which, Reason reason, String text) {
    unannounced.removeIf(info -> which.test(info.key()));
    List<Integer> ended = new ArrayList<>();
    unanswered.forEach(
        (number, info) -> {
          if (which.test(info.key())) {
            ended.add(number);
          }
        });
    unanswered.keySet().removeAll(ended);
    accepted.removeIf(
        transfer -> {
          if (!which.test(transfer.key)) {
            return false;
          }
          ended.add(transfer.number);
          dropped.accept(transfer);
          return true;
        });
    for (int number : ended) {
      ctx.writeAndFlush(new Frame.Nack(id, number, reason, text));
    }
    if (!closed) {
      announce();
      readyAgain.accept(this);
    }
  }

  /** The client takes a segment. One that was withdrawn meanwhile is passed over. */
  void accepted(int number, long offset) {
    SegmentInfo info = answer(number);
    if (info != null) {
      accepted.add(new Transfer(info.key(), number, offset, Long.MAX_VALUE, info.identity()));
      readyAgain.accept(this);
    }
  }

  /** The client does not take a segment. */
  void refused(int number) {
    answer(number);
  }

  private SegmentInfo answer(int number) {
    if (number < 0 || number >= announced) {
      throw new ProtocolException("an answer to the offer " + number + ", which was never made");
    }
    SegmentInfo info = unanswered.remove(number);
    announce();
    return info;
  }

  @Override
  Transfer current() {
    return accepted.peek();
  }

  @Override
  void opened(Transfer transfer) {
    // It was described when it was offered.
  }

  @Override
  boolean over(Transfer transfer) {
    accepted.remove(transfer);
    return false;
  }

  @Override
  List<Transfer> drain() {
    List<Transfer> all = List.copyOf(accepted);
    accepted.clear();
    unanswered.clear();
    unannounced.clear();
    return all;
  }
}
