// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.shuffle.FetchException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another node, as all reduces of a job in this engine know it: whether an engine of the job's user
 * serves map output there, and where. A node that is busy is asked again soon, for a while. Any
 * thread.
 */
public final class Peer {

  private static final Logger LOG = LoggerFactory.getLogger(Peer.class);

  /** How long an answer that there is no engine holds. */
  private static final long ABSENT_MS = 10_000;

  /** The longest pause before a busy node is asked again, as a multiple of the shortest. */
  private static final int LONGEST_PAUSE = 8;

  /**
   * How a busy node is asked again, in milliseconds.
   *
   * @param pauseMs the first pause; it doubles
   * @param busyMs how long in all, before it counts as a node without an engine
   */
  public record Patience(long pauseMs, long busyMs) {}

  /** Tells where a host is; may wait for a name server. */
  @FunctionalInterface
  interface Names {
    InetSocketAddress address(String host, int port);
  }

  private enum State {
    UNKNOWN,
    ASKING,
    OPEN,
    ABSENT
  }

  private final String job;
  private final String host;
  private final int askedAt;
  private final ShuffleClient client;
  private final Scheduler clock;
  private final Patience patience;
  private final Names names;
  private List<BiConsumer<InetSocketAddress, Throwable>> waiting = new ArrayList<>(0);
  private State state = State.UNKNOWN;
  private InetSocketAddress engine;

  /** Where the node is asked; looked up by the one who wants to know, not by those who answer. */
  private volatile InetSocketAddress asked;

  private long absentUntil;
  private long askedSince;
  private long pause;

  Peer(
      String job,
      String host,
      int askedAt,
      ShuffleClient client,
      Scheduler clock,
      Patience patience,
      Names names) {
    this.job = job;
    this.host = host;
    this.askedAt = askedAt;
    this.client = client;
    this.clock = clock;
    this.patience = patience;
    this.names = names;
  }

  /** Its host name. */
  public String host() {
    return host;
  }

  /** Where its engine is, as far as is known now; null if it is not known. */
  public synchronized InetSocketAddress engine() {
    return state == State.OPEN ? engine : null;
  }

  /**
   * Gives the address of its engine, now or when the node has answered, on any thread: null if
   * there is none, and why if it could not be asked. For threads that may wait for a name server.
   */
  public void whenKnown(BiConsumer<InetSocketAddress, Throwable> asker) {
    BiConsumer<InetSocketAddress, Throwable> user = asker;
    InetSocketAddress known;
    synchronized (this) {
      if (state == State.ABSENT && clock.nanoTime() - absentUntil >= 0) {
        state = State.UNKNOWN;
      }
      if (state == State.ASKING) {
        waiting.add(user);
        return;
      }
      known = state == State.OPEN ? engine : null;
      if (state == State.UNKNOWN) {
        waiting.add(user);
        state = State.ASKING;
        askedSince = clock.nanoTime();
        pause = patience.pauseMs();
        user = null;
      }
    }
    if (user == null) {
      try {
        asked = names.address(host, askedAt);
        ask();
      } catch (RuntimeException | Error e) {
        // Others wait already for what this one finds.
        answered(OptionalInt.empty(), e);
      }
    } else {
      user.accept(known, null);
    }
  }

  /** The engine at {@code address} does not answer: the node is asked again before it is used. */
  public synchronized void doubt(InetSocketAddress address) {
    if (state == State.OPEN && engine.equals(address)) {
      state = State.UNKNOWN;
    }
  }

  private void ask() {
    Answer answer = new Answer();
    Fetch question =
        client.fetch(
            asked,
            new FetchRequest(EngineAddress.question(job), 0, EngineAddress.LONGEST, 0, false),
            answer);
    Outcome.handle(
        question.future(),
        "The answer of a node",
        (segment, failure) -> answered(answer.port(), failure));
  }

  private void answered(OptionalInt port, Throwable failure) {
    if (failure instanceof FetchException known && known.reason() == Reason.BUSY && isPatient()) {
      clock.after(nextPause(), this::ask);
      return;
    }
    List<BiConsumer<InetSocketAddress, Throwable>> users;
    InetSocketAddress found = null;
    synchronized (this) {
      if (failure == null && port.isPresent()) {
        found = new InetSocketAddress(asked.getAddress(), port.getAsInt());
        engine = found;
        state = State.OPEN;
      } else {
        LOG.info(
            "{} has no engine of this job's user: {}",
            host,
            failure == null ? "its answer is no port" : failure.getMessage());
        absentUntil = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ABSENT_MS);
        state = State.ABSENT;
      }
      users = waiting;
      waiting = new ArrayList<>(0);
    }
    for (BiConsumer<InetSocketAddress, Throwable> user : users) {
      user.accept(found, failure);
    }
  }

  private synchronized boolean isPatient() {
    return clock.nanoTime() - askedSince < TimeUnit.MILLISECONDS.toNanos(patience.busyMs());
  }

  private synchronized long nextPause() {
    long now = pause;
    pause = Math.min(2 * pause, LONGEST_PAUSE * patience.pauseMs());
    return now;
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
