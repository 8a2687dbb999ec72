// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SecretProvider;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.Nonce;
import org.mammoth.engine.shuffle.wire.Proof;
import org.mammoth.engine.shuffle.wire.ProtocolException;
import org.mammoth.engine.shuffle.wire.Wire;

/**
 * The client's end of one connection. It says nothing until the server has greeted, so that a
 * server that is none of ours never gets a byte it could not understand. Event loop only, where not
 * said otherwise.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {

  /** Whoever keeps the connections to an address; called without locks. */
  interface Watcher {
    /** The server greeted and said that it is busy. */
    void busy(ShuffleException why);

    /** A job was let in. */
    void useful();
  }

  /** A load that stays negative whatever is still taken from it. */
  private static final int GIVEN_UP = Integer.MIN_VALUE / 2;

  /** Streams after which another connection takes its place: their numbers must not run out. */
  private static final int MOST_STREAMS = 1 << 30;

  private final int mostStreams;
  private final SocketAddress peer;
  private final SecretProvider secrets;
  private final Nonce nonce;
  private final Scheduler scheduler;
  private final CompletableFuture<ClientConnection> greeted = new CompletableFuture<>();
  private final AtomicInteger load = new AtomicInteger();

  /** Streams that only wait for what may come. */
  private final AtomicInteger standing = new AtomicInteger();

  private final Map<Integer, ClientStream> streams = new HashMap<>();
  private final Map<ClientStream, Integer> ids = new HashMap<>();
  private final Map<String, List<ClientStream>> waiting = new HashMap<>();
  private final Set<String> jobs = new HashSet<>();
  private final RangeRequests requests =
      new RangeRequests(this::write, task -> this.ctx.executor().execute(task));
  private volatile ChannelHandlerContext ctx;
  private Frame.Hello own;
  private Frame.Hello server;
  private int lastId;
  private boolean quiet;
  private long heard;
  private volatile long lastUsed;
  private volatile boolean worn;
  private volatile boolean late;
  private volatile boolean silent;
  private volatile boolean closedAtOnce;
  private volatile Watcher watcher;
  private volatile ShuffleException end;

  ClientConnection(SocketAddress peer, SecretProvider secrets, Nonce nonce, Scheduler scheduler) {
    this(peer, secrets, nonce, scheduler, MOST_STREAMS);
  }

  /** As above, with so many numbers for streams. */
  ClientConnection(
      SocketAddress peer,
      SecretProvider secrets,
      Nonce nonce,
      Scheduler scheduler,
      int mostStreams) {
    this.mostStreams = mostStreams;
    this.peer = peer;
    this.secrets = secrets;
    this.nonce = nonce;
    this.scheduler = scheduler;
    this.lastUsed = scheduler.nanoTime();
  }

  /** Has {@code by} told what becomes of it; before it is used. */
  void watch(Watcher by) {
    watcher = by;
  }

  /** When something of a stream last came or was asked; any thread. */
  long lastUsed() {
    return lastUsed;
  }

  /** Whether nothing is under way and nothing was since a moment; any thread. */
  boolean isIdleSince(long before) {
    return !ended() && greeted.isDone() && load.get() == standing.get() && lastUsed - before <= 0;
  }

  /** Ends it some time soon, unless something is under way by then; any thread. */
  void giveUpIfIdle(ShuffleException why) {
    try {
      ctx.executor()
          .execute(
              () -> {
                if (load.get() == standing.get()) {
                  finish(why);
                }
              });
    } catch (RejectedExecutionException e) {
      // the client is closed
    }
  }

  /** The server has not greeted in time, though perhaps it accepted; event loop. */
  void late(ShuffleException why, boolean accepted) {
    late = true;
    silent = accepted;
    finish(why);
  }

  /** Whether it ended because of {@link #late}; any thread. */
  boolean wasLate() {
    return late;
  }

  /** Whether the server accepted and was late all the same; any thread. */
  boolean wasSilent() {
    return silent;
  }

  /** Whether the server accepted and closed without a word; any thread. */
  boolean wasClosedAtOnce() {
    return closedAtOnce;
  }

  /** Completes once the server greeted; any thread. */
  CompletableFuture<ClientConnection> greeted() {
    return greeted;
  }

  /** Whether it has had its streams, so that it ends with those it has; any thread. */
  boolean isWorn() {
    return worn;
  }

  /** Counts one stream more, unless the connection is being given up; any thread. */
  boolean reserve() {
    return !worn && load.getAndUpdate(count -> count < 0 ? count : count + 1) >= 0;
  }

  /** Counts so many streams more, of one who has counted one; any thread. */
  void reserveMore(int count) {
    load.getAndUpdate(now -> now < 0 ? now : now + count);
  }

  /** Counts one stream less; any thread. */
  void unreserve() {
    load.decrementAndGet();
  }

  /** Streams that use it or will; any thread. */
  int load() {
    return load.get();
  }

  /** Whether it can never be used again; any thread. */
  boolean ended() {
    return end != null || load.get() < 0 || greeted.isCompletedExceptionally();
  }

  /** The version both sides speak; event loop, once greeted. */
  int version() {
    return Wire.commonVersion(own, server);
  }

  SocketAddress peer() {
    return peer;
  }

  /**
   * Runs a task on the event loop, at once if this is its thread. Returns false if the loop has
   * ended.
   */
  boolean run(Runnable task) {
    try {
      if (ctx.executor().inEventLoop()) {
        task.run();
      } else {
        ctx.executor().execute(task);
      }
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Ends the connection, from any thread; one that is still being made ends when it is. */
  void stop(ShuffleException why) {
    greeted.completeExceptionally(why);
    greeted.handle((connection, failure) -> ctx == null || run(() -> finish(why)));
  }

  /** No longer keeps that it was let in for a job that is over, from any thread. */
  void forget(String job) {
    if (ctx != null) {
      run(() -> jobs.remove(job));
    }
  }

  /** Puts a stream on this greeted connection, from any thread; counted in the load already. */
  void attach(ClientStream stream) {
    boolean runs =
        run(
            () -> {
              if (end != null) {
                unreserve();
                stream.lost(end);
              } else {
                admit(stream);
              }
            });
    if (!runs) {
      unreserve();
      stream.lost(new ShuffleException(Reason.CANCELLED, "the client is closed"));
    }
  }

  /** Puts streams on this greeted connection at once, as {@link #attach} does one. */
  void attachAll(List<? extends ClientStream> all) {
    if (!run(() -> all.forEach(this::attach))) {
      all.forEach(this::attach);
    }
  }

  private void admit(ClientStream stream) {
    int id = ++lastId;
    if (id >= mostStreams) {
      worn = true;
    }
    streams.put(id, stream);
    ids.put(stream, id);
    lastUsed = scheduler.nanoTime();
    if (stream.isStanding()) {
      standing.incrementAndGet();
    }
    stream.attached(this);
    if (!ids.containsKey(stream)) {
      return;
    }
    String job = stream.job();
    if (jobs.contains(job)) {
      stream.start(this, id);
      return;
    }
    List<ClientStream> others = waiting.get(job);
    if (others != null) {
      others.add(stream);
      return;
    }
    byte[] secret = secrets.secret(job);
    if (secret == null) {
      detach(stream);
      stream.lost(
          new ShuffleException(Reason.UNKNOWN_JOB, "this side has no shuffle secret of " + job));
      return;
    }
    waiting.put(job, new ArrayList<>(List.of(stream)));
    send(new Frame.Auth(job, Proof.ofClient(secret, job, server, own)));
  }

  /** Forgets a stream; frames of it that still come are passed over. */
  void detach(ClientStream stream) {
    Integer id = ids.remove(stream);
    if (id != null) {
      streams.remove(id);
      if (stream.isStanding()) {
        standing.decrementAndGet();
      }
      unreserve();
      List<ClientStream> others = waiting.get(stream.job());
      if (others != null) {
        others.remove(stream);
      }
      if (worn && end == null && load.get() == standing.get()) {
        giveUpIfIdle(
            new ShuffleException(Reason.CUT, "the connection to " + peer + " had its streams"));
      }
    }
  }

  /** Forgets a stream and tells the server. */
  void cancel(ClientStream stream) {
    Integer id = ids.get(stream);
    if (id != null) {
      boolean asked = jobs.contains(stream.job()) && !requests.withdraw(id);
      detach(stream);
      if (asked) {
        send(new Frame.Cancel(id));
      }
    }
  }

  /** Frames that have come so far. */
  long heard() {
    return heard;
  }

  /** Asks the server for a sign of life, which {@link #heard} counts. */
  void ping() {
    send(new Frame.Ping(scheduler.nanoTime()));
  }

  void send(Frame frame) {
    // What is said of a stream must not come before its request.
    requests.send();
    write(frame);
  }

  private void write(Frame frame) {
    ctx.writeAndFlush(frame);
  }

  /** Asks for a range, together with others that are asked for now. */
  void ask(Frame.Fetch request) {
    requests.add(request, Wire.commonVersion(own, server));
  }

  /** Ends the connection because the server broke the protocol. */
  void violated(String text) {
    ctx.writeAndFlush(new Frame.Error(Reason.PROTOCOL, text));
    finish(new ShuffleException(Reason.PROTOCOL, peer + " broke the shuffle protocol: " + text));
  }

  /** Ends the connection; every stream is told why. */
  void finish(ShuffleException why) {
    if (end != null) {
      return;
    }
    end = why;
    greeted.completeExceptionally(why);
    List<ClientStream> all = new ArrayList<>(streams.values());
    all.forEach(this::detach);
    waiting.clear();
    all.forEach(stream -> stream.lost(why));
    if (ctx != null) {
      ctx.close();
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (greeted.isCompletedExceptionally()) {
      context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    closedAtOnce = server == null && end == null;
    finish(
        server == null
            ? new ShuffleException(Reason.UNREACHABLE, peer + " closed a new connection")
            : new ShuffleException(Reason.CUT, "the connection to " + peer + " was lost"));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    heard++;
    if (!(message instanceof Frame.Ping || message instanceof Frame.Pong)) {
      lastUsed = scheduler.nanoTime();
    }
    if (message instanceof Frame.Chunk chunk) {
      try {
        ClientStream stream = streams.get(chunk.stream());
        if (stream != null) {
          stream.chunk(chunk);
        } else {
          passOver(chunk.stream());
        }
      } finally {
        chunk.data().release();
      }
    } else if (end == null) {
      control((Frame) message);
    }
  }

  private void control(Frame frame) {
    if (frame instanceof Frame.Hello hello) {
      greet(hello);
    } else if (frame instanceof Frame.AuthOk ok) {
      authenticated(ok);
    } else if (frame instanceof Frame.Deny deny) {
      denied(deny.job(), new ShuffleException(deny.reason(), peer + " refuses: " + deny.text()));
    } else if (frame instanceof Frame.Segment segment) {
      ClientStream stream = known(segment.stream());
      if (stream != null) {
        stream.segment(segment);
      }
    } else if (frame instanceof Frame.End ended) {
      ClientStream stream = known(ended.stream());
      if (stream != null) {
        stream.end(ended);
      }
    } else if (frame instanceof Frame.Nack nack) {
      ClientStream stream = known(nack.stream());
      if (stream != null) {
        if (nack.reason() == Reason.NOT_AUTHENTICATED) {
          jobs.remove(stream.job());
        }
        stream.nack(nack);
      }
    } else if (frame instanceof Frame.Ping ping) {
      send(new Frame.Pong(ping.token()));
    } else if (frame instanceof Frame.Error error) {
      ShuffleException why =
          new ShuffleException(error.reason(), peer + " ends the connection: " + error.text());
      Watcher by = watcher;
      if (error.reason() == Reason.BUSY && by != null) {
        by.busy(why);
      }
      finish(why);
    }
  }

  private ClientStream known(int id) {
    ClientStream stream = streams.get(id);
    if (stream == null) {
      passOver(id);
    }
    return stream;
  }

  private void passOver(int id) {
    if (id > lastId && end == null) {
      violated("a frame of the stream " + id + ", which was never opened");
    }
  }

  private void greet(Frame.Hello hello) {
    own = new Frame.Hello(Wire.MIN_VERSION, Wire.MAX_VERSION, 0, nonce, Wire.MAX_CHUNK);
    server = hello;
    send(own);
    if (Wire.commonVersion(own, hello) == 0) {
      finish(
          new ShuffleException(
              Reason.VERSION,
              peer + " speaks versions " + hello.minVersion() + " to " + hello.maxVersion()));
    } else {
      greeted.complete(this);
    }
  }

  private void authenticated(Frame.AuthOk ok) {
    byte[] secret = secrets.secret(ok.job());
    List<ClientStream> streamsOfJob = waiting.get(ok.job());
    if (streamsOfJob == null) {
      violated("an answer to a proof that was not given");
    } else if (secret == null
        || !Proof.ofServer(secret, ok.job(), server, own).equals(ok.proof())) {
      denied(
          ok.job(),
          new ShuffleException(
              Reason.BAD_PROOF, peer + " does not hold the secret of " + ok.job()));
    } else {
      waiting.remove(ok.job());
      jobs.add(ok.job());
      Watcher by = watcher;
      if (by != null) {
        by.useful();
      }
      for (ClientStream stream : streamsOfJob) {
        stream.start(this, ids.get(stream));
      }
    }
  }

  private void denied(String job, ShuffleException why) {
    List<ClientStream> refused = waiting.remove(job);
    if (refused != null) {
      refused.forEach(this::detach);
      refused.forEach(stream -> stream.lost(why));
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent idle && server != null) {
      if (idle.state() == IdleState.READER_IDLE) {
        finish(new ShuffleException(Reason.TIMEOUT, peer + " is silent"));
      } else if (load() > 0) {
        quiet = false;
        ping();
      } else if (quiet && load.compareAndSet(0, GIVEN_UP)) {
        finish(new ShuffleException(Reason.CUT, "the connection to " + peer + " was not used"));
      } else {
        quiet = true;
        ping();
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = cause.getCause() instanceof SSLException ? cause.getCause() : cause;
    if (root instanceof SSLException && server == null) {
      finish(
          new ShuffleException(
              Reason.TLS, "TLS with " + peer + " failed: " + root.getMessage(), root));
    } else if (cause instanceof ProtocolException && server == null) {
      finish(new ShuffleException(Reason.NOT_OURS, peer + ": " + cause.getMessage()));
    } else if (cause instanceof ProtocolException) {
      violated(cause.getMessage());
    } else {
      Reason reason = server == null ? Reason.UNREACHABLE : Reason.CUT;
      finish(new ShuffleException(reason, "the connection to " + peer + " broke", cause));
    }
  }
}
