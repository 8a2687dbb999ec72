// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.resolver.NoopAddressResolverGroup;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SecretProvider;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.tls.TlsLayer;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.FrameDecoder;
import org.mammoth.engine.shuffle.wire.FrameEncoder;
import org.mammoth.engine.shuffle.wire.Nonce;

/**
 * Fetches ranges of map output from other nodes and subscribes to what they push, over few shared
 * connections. Any thread; never blocks.
 */
public final class ShuffleClient implements Closeable {

  private record Share(InetSocketAddress address, String job) {}

  private final ClientSettings settings;
  private final SecretProvider secrets;
  private final Supplier<? extends TlsLayer> tls;
  private final EventLoopGroup group;
  private final Scheduler scheduler;
  private final SecureRandom random = new SecureRandom();
  private final AddressPools pools;
  private final Map<Share, SharedSubscription> shares = new ConcurrentHashMap<>();
  private final ClientPlaces places;
  private volatile boolean closed;

  /**
   * A client without connections.
   *
   * @param tls gives the TLS of the client's side, or null if there is none
   * @param group threads of the sockets; not shut down here
   * @param scheduler for timeouts and pauses
   */
  public ShuffleClient(
      ClientSettings settings,
      SecretProvider secrets,
      Supplier<? extends TlsLayer> tls,
      EventLoopGroup group,
      Scheduler scheduler) {
    this.settings = settings;
    this.secrets = secrets;
    this.tls = tls;
    this.group = group;
    this.scheduler = scheduler;
    this.places = new ClientPlaces(settings.connections(), scheduler);
    this.pools =
        new AddressPools(
            to -> new AddressPool(patience -> open(to, patience), settings, scheduler));
  }

  /** Fetches a range; {@code sink} gets its bytes in order, each chunk verified. */
  public Fetch fetch(InetSocketAddress address, FetchRequest request, FetchSink sink) {
    FetchCall call = new FetchCall(address, request, sink, settings, scheduler);
    attach(address, call);
    return call;
  }

  /**
   * Has a node merge outputs of its maps. The future completes with the lengths of the merge, whose
   * ranges are then fetched as those of a segment, with {@link MergeList#key} and {@link
   * MergeList#identity}; or fails as that of {@link #fetch} does, of a node that does not
   * understand it with {@link Reason#VERSION}.
   */
  public Fetch merge(InetSocketAddress address, MergeList list) {
    FetchRequest none = new FetchRequest(list.key(), 0, 0, list.identity(), false);
    FetchCall call = new FetchCall(address, none, list, (offset, data) -> {}, settings, scheduler);
    attach(address, call);
    return call;
  }

  /** Tells a node that a merge is not wanted any more, if it can be told. */
  public void unmerge(InetSocketAddress address, SegmentKey merge) {
    attach(address, new UnmergeCall(merge));
  }

  private void attach(InetSocketAddress address, ClientStream stream) {
    Outcome.handle(
        pool(address).acquire(),
        "Asking a node",
        (connection, failure) -> {
          if (failure != null) {
            stream.lost(AddressPool.unwrap(failure));
          } else {
            connection.attach(stream);
          }
        });
  }

  /**
   * Fetches many ranges of one node, of one reduce or of several: as {@link #fetch} does each, but
   * asked for in as few frames as may be, of a node that understands such. A node answers {@link
   * Reason#BUSY} to what is beyond its mammoth.shuffle.connection.max-streams.
   *
   * @param sinks one for each request
   * @return a fetch for each request, in their order
   */
  public List<Fetch> fetchAll(
      InetSocketAddress address, List<FetchRequest> requests, List<? extends FetchSink> sinks) {
    if (requests.size() != sinks.size()) {
      throw new IllegalArgumentException(
          requests.size() + " requests with " + sinks.size() + " sinks");
    }
    List<FetchCall> calls = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      calls.add(new FetchCall(address, requests.get(i), sinks.get(i), settings, scheduler));
    }
    if (!calls.isEmpty()) {
      Outcome.handle(
          pool(address).acquire(),
          "Asking a node",
          (connection, failure) -> {
            if (failure != null) {
              calls.forEach(call -> call.lost(AddressPool.unwrap(failure)));
            } else {
              connection.reserveMore(calls.size() - 1);
              connection.attachAll(calls);
            }
          });
    }
    return List.copyOf(calls);
  }

  /**
   * Subscribes a reduce attempt to a partition at one node, and again whenever the connection was
   * lost, until the subscription is closed or refused for good.
   *
   * @param credit bytes the node may send before more is granted, at least 0
   */
  public Subscription subscribe(
      InetSocketAddress address,
      String job,
      int partition,
      String reduceAttempt,
      long credit,
      PushReceiver receiver) {
    SubscriptionCall call = call(address, job, partition, reduceAttempt, credit, receiver);
    call.connect();
    return call;
  }

  private SubscriptionCall call(
      InetSocketAddress address,
      String job,
      int partition,
      String reduceAttempt,
      long credit,
      PushReceiver receiver) {
    return new SubscriptionCall(
        pool(address),
        new Frame.Subscribe(0, job, partition, reduceAttempt, credit, settings.chunkBytes()),
        receiver,
        settings,
        scheduler);
  }

  /**
   * As {@link #subscribe}, by the one subscription that this client has for the job at that node:
   * all credit there is one. For reduces that return credit as soon as bytes have come, whatever
   * becomes of them.
   */
  public Subscription subscribeShared(
      InetSocketAddress address,
      String job,
      int partition,
      String reduceAttempt,
      long credit,
      PushReceiver receiver) {
    Share key = new Share(address, job);
    while (true) {
      SharedSubscription shared =
          shares.computeIfAbsent(
              key,
              share ->
                  new SharedSubscription(
                      (part, reduce, bytes, to) -> call(address, job, part, reduce, bytes, to),
                      over -> shares.remove(key, over)));
      Subscription joined = shared.join(partition, reduceAttempt, credit, receiver);
      if (joined != null) {
        return joined;
      }
      if (!shared.isOver()) {
        // Another attempt of the same reduce has not ended yet.
        return subscribe(address, job, partition, reduceAttempt, credit, receiver);
      }
    }
  }

  /**
   * Finds out whether a server of ours listens there; sends nothing before the other side has
   * greeted. What turned out foreign is remembered for mammoth.shuffle.probe.negative-ms. Completes
   * with null, or fails with a {@link ShuffleException} of {@link Reason#NOT_OURS}, {@link
   * Reason#UNREACHABLE}, {@link Reason#TLS}, or {@link Reason#BUSY} if it did not answer in time.
   */
  public CompletableFuture<Void> probe(InetSocketAddress address) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    Outcome.handle(
        pool(address).acquire(),
        "Probing a node",
        (connection, failure) -> {
          if (failure != null) {
            answer.completeExceptionally(AddressPool.unwrap(failure));
          } else {
            connection.unreserve();
            answer.complete(null);
          }
        });
    return answer;
  }

  /** Connections to an address that are open or being opened. */
  public int connections(InetSocketAddress address) {
    return pool(address).size();
  }

  /**
   * A job is over: connections no longer keep that they were let in for it. Whoever asks for more
   * of it proves again that it may.
   */
  public void jobFinished(String job) {
    for (AddressPool pool : pools.all()) {
      pool.all().forEach(connection -> connection.forget(job));
    }
  }

  private AddressPool pool(InetSocketAddress address) {
    return pools.of(address);
  }

  private ClientConnection open(InetSocketAddress address, long patienceMs) {
    ClientConnection connection =
        new ClientConnection(address, secrets, Nonce.random(random), scheduler);
    TlsLayer ssl = settings.tls() && !closed ? tls.get() : null;
    if (closed || settings.tls() && ssl == null) {
      connection.greeted().completeExceptionally(closed ? closedClient() : noTls(address));
      return connection;
    }
    if (!places.enter(connection)) {
      connection.greeted().completeExceptionally(noPlace());
      return connection;
    }
    ChannelFuture connected =
        new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            // Whoever names a node has looked it up: no event loop waits for a name server.
            .resolver(NoopAddressResolverGroup.INSTANCE)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.patience().probe())
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    fill(channel, ssl, address, connection);
                  }
                })
            .connect(address);
    connected.addListener(
        done -> {
          if (!done.isSuccess()) {
            connection.finish(
                new ShuffleException(
                    Reason.UNREACHABLE, "nothing answers at " + address, done.cause()));
          }
        });
    Runnable late =
        scheduler.after(
            patienceMs,
            () ->
                connected
                    .channel()
                    .eventLoop()
                    .execute(
                        () -> {
                          if (connection.greeted().isDone()) {
                            return;
                          }
                          boolean accepted = connected.channel().isActive();
                          String what = accepted ? "greeted" : "accepted";
                          connection.late(late(address, what, patienceMs), accepted);
                        }));
    Outcome.handle(connection.greeted(), "A greeting", (greeted, failure) -> late.run());
    return connection;
  }

  private void fill(
      SocketChannel channel, TlsLayer ssl, InetSocketAddress address, ClientConnection connection) {
    long idle = settings.patience().idle();
    if (ssl != null) {
      ssl.addTo(channel, address.getHostString());
    }
    channel
        .pipeline()
        .addLast(new IdleStateHandler(idle, idle / 3, 0, TimeUnit.MILLISECONDS))
        .addLast(new FrameDecoder(Frame.Sender.SERVER, settings.chunkBytes()))
        .addLast(new FrameEncoder())
        .addLast(connection);
  }

  private static ShuffleException late(InetSocketAddress address, String what, long patienceMs) {
    return new ShuffleException(
        Reason.BUSY,
        "What listens at "
            + address
            + " has not "
            + what
            + " within "
            + patienceMs
            + " ms ("
            + ShuffleKeys.PROBE_TIMEOUT_MS.name()
            + ")");
  }

  private ShuffleException noPlace() {
    return new ShuffleException(
        Reason.BUSY,
        "all "
            + settings.connections()
            + " connections of this process are in use; "
            + ShuffleKeys.MAX_CONNECTIONS.name()
            + " sets how many");
  }

  private static ShuffleException noTls(InetSocketAddress address) {
    return new ShuffleException(
        Reason.TLS,
        "No connection to "
            + address
            + " is opened: "
            + ShuffleKeys.SSL_ENABLED
            + " is true and this process has no TLS. Configure Hadoop's ssl-client.xml, or"
            + " leave the shuffle to stock Hadoop.");
  }

  private static ShuffleException closedClient() {
    return new ShuffleException(Reason.CANCELLED, "the shuffle client is closed");
  }

  /** Closes all connections; what is under way fails. */
  @Override
  public void close() {
    closed = true;
    Set<ClientConnection> all = new HashSet<>(places.all());
    pools.all().forEach(pool -> all.addAll(pool.all()));
    all.forEach(connection -> connection.stop(closedClient()));
  }
}
