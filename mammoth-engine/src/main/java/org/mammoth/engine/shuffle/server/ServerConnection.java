// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.Nonce;
import org.mammoth.engine.shuffle.wire.Proof;
import org.mammoth.engine.shuffle.wire.ProtocolException;
import org.mammoth.engine.shuffle.wire.Wire;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of one connection: greets, lets jobs in that prove their secret, and opens and
 * closes streams. Event loop only, except {@link #forget} and {@link #shutDown}.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  /** Wrong proofs on one connection before it is closed. */
  private static final int MAX_WRONG_PROOFS = 4;

  /** How long a client that is told to come again may take to hear it. */
  private static final long LINGER_MS = 2_000;

  private final ServerContext server;
  private final Frame.Hello own;
  private final Set<String> jobs = new HashSet<>();
  private final Map<Integer, OutStream> streams = new HashMap<>();
  private final MergeLists mergeLists = new MergeLists();
  private ChannelHandlerContext ctx;
  private Frame.Hello peer;
  private ChunkSender sender;
  private int wrongProofs;
  private boolean closing;
  private volatile long lastUsed;

  /** Fetches under way. */
  private volatile int fetches;

  ServerConnection(ServerContext server) {
    this.server = server;
    this.lastUsed = server.nanos();
    this.own =
        new Frame.Hello(
            Wire.MIN_VERSION,
            Wire.MAX_VERSION,
            server.instance(),
            Nonce.random(server.random()),
            server.settings().maxChunk());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
    sender =
        new ChunkSender(
            context,
            server.source(),
            server.readers(),
            server.budget(),
            server.settings().connectionBytes(),
            this::remove);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.writeAndFlush(own);
    if (!server.enter(this)) {
      end(Reason.BUSY, "the server has its " + server.settings().limits().connections());
      return;
    }
    context
        .executor()
        .schedule(
            () -> {
              if (jobs.isEmpty()) {
                context.close();
              }
            },
            server.settings().handshakeTimeoutMs(),
            TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    server.leave(this);
    new ArrayList<>(streams.values()).forEach(this::remove);
    sender.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (closing) {
      return;
    }
    if (!(message instanceof Frame.Ping || message instanceof Frame.Pong)) {
      lastUsed = server.nanos();
    }
    if (message instanceof Frame.Hello hello) {
      greet(hello);
    } else if (message instanceof Frame.Auth auth) {
      authenticate(auth);
    } else if (message instanceof Frame.Fetch fetch) {
      if (admit(fetch.stream(), fetch.job())) {
        open(new FetchStream(ctx, fetch, server.settings().maxChunk()));
      }
    } else if (message instanceof Frame.FetchRanges fetches) {
      openAll(fetches);
    } else if (message instanceof Frame.Merge merge) {
      merge(merge);
    } else if (message instanceof Frame.Unmerge unmerge) {
      unmerge(unmerge);
    } else if (message instanceof Frame.Subscribe subscribe) {
      if (admit(subscribe.stream(), subscribe.job())) {
        subscribe(subscribe);
      }
    } else if (message instanceof Frame.Ping ping) {
      context.writeAndFlush(new Frame.Pong(ping.token()));
    } else if (message instanceof Frame.Error error) {
      LOG.info("{} ended its connection: {}", context.channel().remoteAddress(), error.text());
      context.close();
    } else if (!(message instanceof Frame.Pong)) {
      ofStream((Frame) message);
    }
  }

  private void ofStream(Frame frame) {
    if (frame instanceof Frame.Cancel cancel) {
      mergeLists.remove(cancel.stream());
      OutStream stream = streams.get(cancel.stream());
      if (stream != null) {
        remove(stream);
      }
    } else if (frame instanceof Frame.Credit credit) {
      OutStream stream = streams.get(credit.stream());
      if (stream != null) {
        long sum = stream.credit + credit.bytes();
        stream.credit = sum < 0 ? Long.MAX_VALUE : sum;
        sender.ready(stream);
      }
    } else if (frame instanceof Frame.Want want) {
      if (streams.get(want.stream()) instanceof SubscriptionStream stream) {
        stream.want(want.partition(), server.pusher(), server.readers());
      }
    } else if (frame instanceof Frame.Unwant unwant) {
      if (streams.get(unwant.stream()) instanceof SubscriptionStream stream) {
        stream.unwant(unwant.partition(), server.pusher());
      }
    } else if (frame instanceof Frame.Accept accept) {
      if (streams.get(accept.stream()) instanceof SubscriptionStream stream) {
        stream.accepted(accept.segment(), accept.offset());
      }
    } else if (frame instanceof Frame.Refuse refuse) {
      if (streams.get(refuse.stream()) instanceof SubscriptionStream stream) {
        stream.refused(refuse.segment());
      }
    } else {
      throw new ProtocolException("a frame no client sends: " + frame.getClass().getSimpleName());
    }
  }

  private void greet(Frame.Hello hello) {
    if (Wire.commonVersion(own, hello) == 0) {
      end(
          Reason.VERSION,
          "the server speaks versions "
              + own.minVersion()
              + " to "
              + own.maxVersion()
              + ", the client "
              + hello.minVersion()
              + " to "
              + hello.maxVersion());
      return;
    }
    peer = hello;
  }

  private void authenticate(Frame.Auth auth) {
    if (peer == null) {
      throw new ProtocolException("a proof before the greeting");
    }
    byte[] secret = server.secrets().secret(auth.job());
    if (secret == null) {
      ctx.writeAndFlush(
          new Frame.Deny(
              auth.job(), Reason.UNKNOWN_JOB, "this node does not know the job " + auth.job()));
    } else if (Proof.ofClient(secret, auth.job(), own, peer).equals(auth.proof())) {
      jobs.add(auth.job());
      ctx.writeAndFlush(
          new Frame.AuthOk(auth.job(), Proof.ofServer(secret, auth.job(), own, peer)));
    } else {
      LOG.warn("{} has a wrong secret of {}", ctx.channel().remoteAddress(), auth.job());
      ctx.writeAndFlush(
          new Frame.Deny(auth.job(), Reason.BAD_PROOF, "the secret of " + auth.job() + " differs"));
      if (++wrongProofs >= MAX_WRONG_PROOFS) {
        end(Reason.BAD_PROOF, "too many wrong proofs");
      }
    }
  }

  private boolean admit(int stream, String job) {
    if (streams.containsKey(stream) || mergeLists.has(stream)) {
      throw new ProtocolException("the stream " + stream + " is open already");
    }
    if (!jobs.contains(job)) {
      refuse(stream, Reason.NOT_AUTHENTICATED, job + " was not authenticated on this connection");
      return false;
    }
    if (streams.size() >= server.settings().limits().streams()) {
      refuse(
          stream,
          Reason.BUSY,
          "the connection has all streams it may, "
              + streams.size()
              + "; mammoth.shuffle.connection.max-streams of the server sets this");
      return false;
    }
    return true;
  }

  private void refuse(int stream, Reason reason, String text) {
    ctx.writeAndFlush(new Frame.Nack(stream, Frame.WHOLE_STREAM, reason, text));
  }

  private void open(OutStream stream) {
    add(stream);
    sender.ready(stream);
  }

  /** Takes in a stream, which is {@link #remove removed} when it is over. */
  private void add(OutStream stream) {
    streams.put(stream.id, stream);
    count(stream, 1);
  }

  private void openAll(Frame.FetchRanges fetches) {
    if (peer == null || Wire.commonVersion(own, peer) < Wire.RANGES_VERSION) {
      throw new ProtocolException("ranges, which are not of the version both sides speak");
    }
    List<OutStream> opened = new ArrayList<>();
    for (Frame.Fetch fetch : fetches.ranges()) {
      if (admit(fetch.stream(), fetch.job())) {
        OutStream stream = new FetchStream(ctx, fetch, server.settings().maxChunk());
        add(stream);
        opened.add(stream);
      }
    }
    sender.ready(opened);
  }

  private void merge(Frame.Merge frame) {
    if (peer == null || Wire.commonVersion(own, peer) < Wire.MERGE_VERSION) {
      throw new ProtocolException("a merge, which is not of the version both sides speak");
    }
    String job = frame.piece().job();
    boolean goesOn = mergeLists.has(frame.stream());
    if (!goesOn && frame.first() > 0) {
      // the rest of a list that was refused, or is not wanted any more
      return;
    }
    if (!goesOn && !admit(frame.stream(), job)) {
      return;
    }
    if (!goesOn && !mergeLists.hasRoom(frame.total())) {
      refuse(frame.stream(), Reason.BUSY, "the connection has too many merges that are not whole");
      return;
    }
    MergeList list = mergeLists.add(frame);
    if (list == null) {
      return;
    }
    try {
      server.source().merge(list);
    } catch (SegmentUnavailableException e) {
      refuse(frame.stream(), e.reason(), e.getMessage());
      return;
    }
    // Its lengths are found out as those of a segment are, where that may wait.
    open(
        new FetchStream(
            ctx,
            new Frame.Fetch(
                frame.stream(), job, list.name(), list.partition(), 0, 0, 0, 1, list.identity()),
            server.settings().maxChunk()));
  }

  private void unmerge(Frame.Unmerge frame) {
    if (jobs.contains(frame.job())) {
      server.source().unmerge(new SegmentKey(frame.job(), frame.name(), frame.partition()));
    }
  }

  private void subscribe(Frame.Subscribe request) {
    SubscriptionStream stream =
        new SubscriptionStream(
            ctx, request, server.settings().maxChunk(), sender::ready, sender::drop);
    open(stream);
    stream.want(request.partition(), server.pusher(), server.readers());
  }

  private void remove(OutStream stream) {
    if (stream.closed) {
      return;
    }
    stream.closed = true;
    streams.remove(stream.id);
    count(stream, -1);
    if (stream instanceof SubscriptionStream subscription) {
      subscription.unwantAll(server.pusher());
    }
    stream.drain().forEach(sender::drop);
  }

  private void count(OutStream stream, int more) {
    lastUsed = server.nanos();
    if (!(stream instanceof SubscriptionStream)) {
      fetches = fetches + more;
    }
  }

  /** When its client last said something of a stream; any thread. */
  long lastUsed() {
    return lastUsed;
  }

  /** Whether no fetch is under way and its client has been quiet since; any thread. */
  boolean isIdleSince(long before) {
    return fetches == 0 && lastUsed - before <= 0;
  }

  /** Gives its place to another one, from any thread. */
  void makeRoom() {
    Loops.run(ctx, () -> end(Reason.BUSY, "this idle connection makes room for another"));
  }

  /** Ends all streams of a job, from any thread. */
  void forget(String job) {
    Loops.run(
        ctx,
        () -> {
          jobs.remove(job);
          mergeLists.forget(job);
          List<OutStream> ended = new ArrayList<>(streams.values());
          ended.removeIf(stream -> !stream.job.equals(job));
          for (OutStream stream : ended) {
            refuse(stream.id, Reason.GONE, job + " is over on this node");
            remove(stream);
          }
        });
  }

  /** Tells the client and closes, from any thread. */
  void shutDown() {
    Loops.run(ctx, () -> end(Reason.SHUTDOWN, "the server is stopping"));
  }

  private void end(Reason reason, String text) {
    closing = true;
    ChannelFuture written = ctx.writeAndFlush(new Frame.Error(reason, text));
    if (reason == Reason.BUSY && ctx.channel() instanceof DuplexChannel channel) {
      // With bytes of the client unread, a close would be a reset, which may overtake the error.
      written.addListener(done -> channel.shutdownOutput());
      ctx.executor().schedule(() -> ctx.close(), LINGER_MS, TimeUnit.MILLISECONDS);
    } else {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    // Answers pile up only for a client that asks and does not read; it is not heard meanwhile.
    context.channel().config().setAutoRead(context.channel().isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent idle) {
      if (idle.state() == IdleState.READER_IDLE) {
        LOG.info("{} is silent, its connection is closed", context.channel().remoteAddress());
        context.close();
      } else if (peer != null) {
        context.writeAndFlush(new Frame.Ping(server.nanos()));
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof ProtocolException) {
      LOG.warn("{}: {}", context.channel().remoteAddress(), cause.getMessage());
      if (!closing) {
        end(Reason.PROTOCOL, cause.getMessage());
      }
    } else {
      if (cause.getCause() instanceof SSLException failure) {
        LOG.warn("TLS with {} failed: {}", context.channel().remoteAddress(), failure.getMessage());
      } else if (cause instanceof IOException) {
        LOG.debug("Connection of {} broke", context.channel().remoteAddress(), cause);
      } else {
        LOG.warn("Connection of {} broke", context.channel().remoteAddress(), cause);
      }
      context.close();
    }
  }
}
