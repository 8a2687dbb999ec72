package org.mammoth.mapreduce.shuffle;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.FetchException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;
import org.mammoth.mapreduce.transfer.EngineAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another node as one reduce knows it: whether an engine of the job's user serves map output there,
 * and where. The reduce's thread only.
 */
final class RemoteNode {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteNode.class);

  /** How long an answer that there is no engine holds. */
  private static final long ABSENT_MS = 10_000;

  private enum State {
    UNKNOWN,
    ASKING,
    OPEN,
    ABSENT,
    STOCK
  }

  private final RemoteLink link;
  private final String host;
  private final int askedAt;
  private final Consumer<RemoteNode> opened;
  private final List<Consumer<InetSocketAddress>> waiting = new ArrayList<>();
  private State state = State.UNKNOWN;
  private InetSocketAddress engine;
  private long absentUntil;
  private int silences;
  private long silentAt;

  /**
   * A node of which nothing is known yet.
   *
   * @param askedAt the port on which it is asked for its engine
   * @param opened told when an engine is found at an address at which there was none before
   */
  RemoteNode(RemoteLink link, String host, int askedAt, Consumer<RemoteNode> opened) {
    this.link = link;
    this.host = host;
    this.askedAt = askedAt;
    this.opened = opened;
  }

  /** Where its engine was found; null before. */
  InetSocketAddress engine() {
    return engine;
  }

  /** Whether it is known to be a node without Mammoth. */
  boolean isStock() {
    return state == State.STOCK;
  }

  /** Gives the address of its engine, now or when the node has answered; null if there is none. */
  void whenKnown(Consumer<InetSocketAddress> user) {
    if (state == State.ABSENT && link.clock().nanoTime() - absentUntil >= 0) {
      state = State.UNKNOWN;
    }
    if (state == State.OPEN) {
      user.accept(engine);
    } else if (state == State.ABSENT || state == State.STOCK) {
      user.accept(null);
    } else {
      waiting.add(user);
      if (state == State.UNKNOWN) {
        ask();
      }
    }
  }

  /** One whole output more has come from here. */
  void gave() {
    silences = 0;
  }

  /**
   * Something asked of it brought nothing until it timed out.
   *
   * @param since when it was asked, on the link's clock
   * @return how often this happened, one time after the other, since an output came
   */
  int wasSilent(long since) {
    if (silences == 0 || since - silentAt >= 0) {
      silences++;
      silentAt = link.clock().nanoTime();
    }
    return silences;
  }

  /** The engine does not answer any more: the node is asked again before it is used. */
  void doubt() {
    if (state == State.OPEN) {
      state = State.UNKNOWN;
    }
  }

  /** Nothing is asked of this node any more. */
  void leaveToStock(Throwable why) {
    if (state != State.STOCK) {
      LOG.info("Map output of {} is fetched in the stock way: {}", host, why.getMessage());
      answered(State.STOCK, null);
    }
  }

  private void ask() {
    state = State.ASKING;
    Answer answer = new Answer();
    link.client()
        .fetch(
            new InetSocketAddress(host, askedAt),
            new FetchRequest(
                EngineAddress.question(link.job()), 0, EngineAddress.LONGEST, 0, false),
            answer)
        .future()
        .whenComplete(
            (segment, failure) -> link.inbox().post(() -> answered(answer.port(), failure)));
  }

  private void answered(OptionalInt port, Throwable failure) {
    if (state != State.ASKING) {
      return;
    }
    if (failure == null && port.isPresent()) {
      InetSocketAddress found = new InetSocketAddress(host, port.getAsInt());
      boolean isNew = !found.equals(engine);
      engine = found;
      answered(State.OPEN, found);
      if (isNew) {
        opened.accept(this);
      }
    } else if (failure instanceof FetchException known && isForGood(known.reason())) {
      leaveToStock(known);
    } else {
      LOG.info(
          "{} has no engine of this job's user: {}",
          host,
          failure == null ? "its answer is no port" : failure.getMessage());
      absentUntil = link.clock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(ABSENT_MS);
      answered(State.ABSENT, null);
    }
  }

  /** Whether nothing on that node will ever speak to this job. */
  static boolean isForGood(Reason reason) {
    return switch (reason) {
      case NOT_OURS, TLS, VERSION, BAD_PROOF -> true;
      default -> false;
    };
  }

  private void answered(State now, InetSocketAddress address) {
    state = now;
    List<Consumer<InetSocketAddress>> users = List.copyOf(waiting);
    waiting.clear();
    users.forEach(user -> user.accept(address));
  }

  @Override
  public String toString() {
    return host;
  }

  private static final class Answer implements FetchSink {
    private final byte[] bytes = new byte[EngineAddress.LONGEST];
    private int length;

    @Override
    public void chunk(long offset, ByteBuffer data) {
      int count = data.remaining();
      data.get(bytes, length, count);
      length += count;
    }

    OptionalInt port() {
      return EngineAddress.port(bytes, length);
    }
  }
}
