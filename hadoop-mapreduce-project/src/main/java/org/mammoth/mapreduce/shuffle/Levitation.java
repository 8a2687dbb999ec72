// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.mammoth.engine.levitated.Block;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.levitated.LevitatedSegment;
import org.mammoth.engine.levitated.Range;
import org.mammoth.engine.levitated.RangeFetcher;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.shuffle.FetchException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.mapreduce.sort.SegmentFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of one reduce that stay at their sources (network-levitated merge): their headers,
 * and their ranges while they are merged. What fails is tried again on the thread that works on the
 * reduce's inbox, which must be worked on until {@link #close}.
 */
final class Levitation implements RangeReader {

  private static final Logger LOG = LoggerFactory.getLogger(Levitation.class);

  /** Tries to fetch a range before its source counts as lost. */
  private static final int TRIES = 5;

  /** How often the pause before a busy node is asked again is doubled. */
  private static final int LONGEST_BUSY_SHIFT = 3;

  /** On the heap, of all segments without a block together, until their first records are read. */
  private static final int ALL_FIRST = 8 << 20;

  private static final int MOST_FIRST = 4 << 10;
  private static final int LEAST_FIRST = 64;

  private final RemoteLink link;
  private final RangeFetcher fetcher;
  private final ReceiveStore store;
  private final BlockSpace blocks;
  private final Rescue rescue;
  private final List<LevitatedSource> sources = new ArrayList<>();
  private final List<LevitatedSegment> segments = new ArrayList<>();
  private final Map<InetSocketAddress, List<Header>> headers = new LinkedHashMap<>();
  private final Set<Range> underWay = ConcurrentHashMap.newKeySet();
  private final Set<Deferred> deferred = ConcurrentHashMap.newKeySet();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private final LongAdder again = new LongAdder();

  /** Ranges that the merge has asked for and has not got, whatever became of them so far. */
  private final AtomicInteger wantedRanges = new AtomicInteger();

  private volatile boolean closed;

  /** Where segments have their blocks from whose headers came without; null for {@link #blocks}. */
  private BlockSpace opened;

  /**
   * Nothing is fetched yet.
   *
   * @param rescue what is left where no engine is
   */
  Levitation(
      RemoteLink link, RangeFetcher fetcher, ReceiveStore store, BlockSpace blocks, Rescue rescue) {
    this.link = link;
    this.rescue = rescue;
    this.fetcher = fetcher;
    this.store = store;
    this.blocks = blocks;
  }

  RemoteLink link() {
    return link;
  }

  /** Has segments that are opened from now on take two blocks each from {@code space}. */
  void useBlocks(BlockSpace space) {
    opened = space;
  }

  /** So many bytes have come that come once more, in another way. */
  void comesAgain(long bytes) {
    again.add(bytes);
  }

  /** A stream that a node's engine merges, to be opened like a segment. */
  LevitatedSource stream(RemoteNode node, String name, SegmentInfo info, InetSocketAddress engine) {
    synchronized (sources) {
      LevitatedSource source = new LevitatedSource(sources.size(), node, name, info, engine, null);
      sources.add(source);
      return source;
    }
  }

  /** Tells a node that its stream is not wanted any more; safe to call twice. */
  void endStream(LevitatedSource stream) {
    if (stream.end()) {
      link.client().unmerge(stream.engine(), link.key(stream.attempt()));
    }
  }

  SegmentFormat format() {
    return store.format();
  }

  /** Bytes that were fetched more than once. */
  long refetchedBytes() {
    return again.sum();
  }

  /** Bytes that have come, each counted once. */
  long cameBytes() {
    synchronized (sources) {
      return sources.stream().mapToLong(LevitatedSource::cameBytes).sum();
    }
  }

  /** Map attempts of which the rest could not be read, or was not what was written. */
  Set<String> broken() {
    return Set.copyOf(broken);
  }

  void broken(LevitatedSource source, Exception failure) {
    for (Throwable why = failure; why != null; why = why.getCause()) {
      if (why instanceof StockSegment.OwnDiskException) {
        // a map that runs again would not mend it
        return;
      }
    }
    if (!closed && broken.add(source.attempt())) {
      LOG.warn("{} at {} is lost: {}", source.attempt(), source.node(), failure.getMessage());
    }
  }

  /** The first block of a segment, on its way. */
  private final class Header extends Range implements Bringing {
    private final RemoteNode node;
    private final InetSocketAddress engine;
    private final String url;
    private final String attempt;
    private final Block block;
    private final ByteBuffer bytes;
    private final BiConsumer<LevitatedOutput, Throwable> done;
    private final Deferred unsent = new Deferred(this::free);

    Header(
        RemoteNode node,
        InetSocketAddress engine,
        String url,
        String attempt,
        Block block,
        ByteBuffer bytes,
        BiConsumer<LevitatedOutput, Throwable> done) {
      super(link.key(attempt), 0, 0, bytes);
      this.node = node;
      this.engine = engine;
      this.url = url;
      this.attempt = attempt;
      this.block = block;
      this.bytes = bytes;
      this.done = done;
    }

    @Override
    protected void ended(SegmentInfo segment, Throwable failure) {
      underWay.remove(this);
      Deferred look = new Deferred(this::free);
      link.inbox()
          .post(
              () -> {
                if (look.take()) {
                  headerEnded(this, segment, failure);
                }
              });
    }

    private void free() {
      if (block != null) {
        block.free();
      }
    }
  }

  /**
   * Has the first block of a segment fetched, together with others of the same node; the reduce's
   * thread, as {@code done}, which gets the segment or why there is none.
   */
  Bringing header(
      RemoteNode node, String url, String attempt, BiConsumer<LevitatedOutput, Throwable> done) {
    Block block = blocks.poll();
    ByteBuffer bytes = block == null ? ByteBuffer.allocate(0) : block.view(blocks.blockBytes());
    Header header = new Header(node, node.engine(), url, attempt, block, bytes, done);
    if (headers.isEmpty()) {
      link.inbox().post(this::sendHeaders);
    }
    headers.computeIfAbsent(node.engine(), each -> new ArrayList<>()).add(header);
    return header;
  }

  private void sendHeaders() {
    Map<InetSocketAddress, List<Header>> all = new LinkedHashMap<>(headers);
    headers.clear();
    all.values().forEach(each -> each.removeIf(header -> !header.unsent.take()));
    all.forEach(this::send);
  }

  private void headerEnded(Header header, SegmentInfo info, Throwable failure) {
    if (closed || failure != null) {
      header.free();
      header.done.accept(null, failure == null ? new IOException("the reduce is over") : failure);
      return;
    }
    int here = header.bytes.position();
    if (info.isUnverified()) {
      header.free();
      again.add(here);
      header.done.accept(null, new ComesWholeException(header.attempt));
      return;
    }
    LevitatedSource source;
    synchronized (sources) {
      source =
          new LevitatedSource(
              sources.size(), header.node, header.attempt, info, header.engine, header.url);
      sources.add(source);
    }
    source.came(0, here);
    header.done.accept(output(source, header, here), null);
  }

  private LevitatedOutput output(LevitatedSource source, Header header, int here) {
    UnitStream whole = null;
    if (here > 0 && here == source.info().partLength() && here <= store.small().largest()) {
      byte[] bytes = new byte[here];
      header.bytes.duplicate().flip().get(bytes);
      whole = store.small().add(bytes, source.attempt(), () -> {});
    }
    if (whole != null || here == 0) {
      header.free();
      return new LevitatedOutput(source, this, null, 0, whole);
    }
    return new LevitatedOutput(source, this, header.block, here, null);
  }

  /** Opens a segment whose header is here; takes over {@code header}. */
  LevitatedSegment segment(LevitatedSource source, Block header, int here) {
    long length = source.info().partLength();
    BlockSpace space = opened;
    Block first = header == null && space != null && length > 0 ? space.poll() : header;
    Block spare = here < length ? (space == null ? blocks : space).poll() : null;
    LevitatedSegment segment =
        new LevitatedSegment(this, source.number(), source.attempt(), length, first, here, spare);
    segments.add(segment);
    return segment;
  }

  /**
   * All segments are open: has the second blocks of all sent for at once, or the first ones of
   * those whose headers came without, or a few bytes where there is no memory for blocks.
   */
  void begin() {
    List<RangeRequest> first = new ArrayList<>();
    int few = Math.max(LEAST_FIRST, Math.min(MOST_FIRST, ALL_FIRST / Math.max(1, segments.size())));
    for (LevitatedSegment segment : segments) {
      RangeRequest request = segment.first(few);
      if (request != null) {
        first.add(request);
      }
    }
    segments.clear();
    read(first);
  }

  @Override
  public void read(List<RangeRequest> requests) {
    Map<InetSocketAddress, List<Piece>> byNode = new HashMap<>();
    for (RangeRequest request : requests) {
      Reading reading = new Reading(request);
      if (reading.source.leftToRescue() != null) {
        rescue(reading);
        continue;
      }
      byNode
          .computeIfAbsent(reading.source.engine(), each -> new ArrayList<>())
          .add(reading.piece());
    }
    byNode.forEach(this::send);
  }

  private void send(InetSocketAddress engine, List<? extends Range> ranges) {
    underWay.addAll(ranges);
    fetcher.fetch(engine, ranges);
    if (closed) {
      ranges.forEach(Range::cancel);
    }
  }

  /**
   * Something that waits for the inbox's thread, for a moment or for another node. Exactly one
   * happens: it is taken, or it is given up because all is closed and nobody works on the inbox.
   */
  private final class Deferred {
    private final Runnable givenUp;

    Deferred(Runnable givenUp) {
      this.givenUp = givenUp;
      deferred.add(this);
      if (closed) {
        giveUp();
      }
    }

    boolean take() {
      return deferred.remove(this);
    }

    void giveUp() {
      if (take()) {
        givenUp.run();
      }
    }
  }

  /** A range that the merge wants, over as many tries as it takes. */
  private final class Reading {
    private final RangeRequest request;
    private final LevitatedSource source;
    private final int start;
    private final AtomicBoolean told = new AtomicBoolean();
    private int tries;
    private int silentTries;

    /** Of a node that was busy each time, one time after the other, and since when. */
    private int busyTries;

    private long busySince;

    /** The try that is under way, or was; null before the first. */
    private Piece last;

    Reading(RangeRequest wanted) {
      wantedRanges.incrementAndGet();
      this.request =
          new RangeRequest(
              wanted.segment(),
              wanted.offset(),
              wanted.into(),
              failure -> {
                if (told.compareAndSet(false, true)) {
                  wantedRanges.decrementAndGet();
                  wanted.done().accept(failure);
                }
              });
      this.start = request.into().position();
      synchronized (sources) {
        this.source = sources.get(request.segment());
      }
    }

    Piece piece() {
      tries++;
      last = new Piece(this, request.offset() + request.into().position() - start);
      return last;
    }
  }

  /** One try. */
  private final class Piece extends Range {
    private final Reading reading;
    private final long from;
    private final int before;

    Piece(Reading reading, long from) {
      super(
          link.key(reading.source.attempt()),
          reading.source.info().identity(),
          from,
          reading.request.into());
      this.reading = reading;
      this.from = from;
      this.before = reading.request.into().position();
    }

    @Override
    protected void ended(SegmentInfo segment, Throwable failure) {
      underWay.remove(this);
      if (segment != null && segment.isUnverified()) {
        // Its engine has followed the one that told of it, and its file is damaged or encrypted.
        again.add(reading.request.into().position() - before);
        reading.request.into().position(before);
        later(reading, new ComesWholeException(reading.source.attempt()), Levitation.this::lost);
        return;
      }
      int count = reading.request.into().position() - before;
      again.add(reading.source.came(from, count));
      if (failure == null && reading.request.into().hasRemaining()) {
        reading.request.done().accept(new EOFException("it is shorter than its source said"));
      } else if (failure == null) {
        reading.request.done().accept(null);
      } else {
        later(reading, failure, (same, why) -> tryAgain(same, count, why));
      }
    }

    private void later(
        Reading failed, Throwable why, BiConsumer<Reading, Throwable> onTheInboxsThread) {
      Deferred next = new Deferred(() -> failed.request.done().accept(why));
      link.inbox()
          .post(
              () -> {
                if (next.take()) {
                  orTold(failed, () -> onTheInboxsThread.accept(failed, why));
                }
              });
    }
  }

  /** Whatever goes wrong when a range is seen to, who waits for it does not wait for ever. */
  private void orTold(Reading reading, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      Piece last = reading.last;
      if (last != null && underWay.contains(last)) {
        // its bytes may still come, and it is told when they cannot any more
        last.cancel();
      } else {
        reading.request.done().accept(e);
      }
      throw e;
    }
  }

  /** A try has failed; the thread that works on the inbox. */
  private void tryAgain(Reading reading, int count, Throwable failure) {
    LevitatedSource source = reading.source;
    Reason reason = failure instanceof FetchException known ? known.reason() : Reason.OTHER;
    if (reason == Reason.BUSY && !source.isObsolete() && isPatient(reading, count)) {
      reading.tries--;
      int doubled = Math.min(reading.busyTries++, LONGEST_BUSY_SHIFT);
      askAfter(link.options().pauseMs() << doubled, reading, failure);
      return;
    }
    reading.busyTries = 0;
    LOG.info("{} (try {} of {})", failure.getMessage(), reading.tries, TRIES);
    boolean elsewhere =
        switch (reason) {
          // Its port may belong to another process by now, or another engine took its place.
          case CUT, SHUTDOWN, UNREACHABLE, NOT_OURS, TIMEOUT, UNKNOWN_JOB -> true;
          default -> false;
        };
    if (reason == Reason.TIMEOUT && count == 0) {
      reading.silentTries++;
    }
    if (elsewhere) {
      source.node().doubt();
    }
    boolean useless = !reason.retriable() && !elsewhere;
    if (useless || reading.tries >= TRIES || reading.silentTries > 1) {
      lost(reading, failure);
    } else if (source.isObsolete()) {
      lost(reading, failure);
    } else {
      askAfter(link.options().pauseMs() << reading.tries - 1, reading, failure);
    }
  }

  /** Whether a busy node is asked again, without counting it as a try. */
  private boolean isPatient(Reading reading, int count) {
    long now = link.clock().nanoTime();
    if (reading.busyTries == 0 || count > 0) {
      reading.busyTries = 0;
      reading.busySince = now;
    }
    return now - reading.busySince < TimeUnit.MILLISECONDS.toNanos(link.options().busyMs());
  }

  private void askAfter(long pauseMs, Reading reading, Throwable failure) {
    Deferred again = new Deferred(() -> reading.request.done().accept(failure));
    Runnable ask =
        () ->
            reading
                .source
                .node()
                .whenKnown(
                    engine -> {
                      if (again.take()) {
                        orTold(reading, () -> askAt(engine, reading, failure));
                      }
                    });
    link.clock().after(pauseMs, () -> link.inbox().post(ask));
  }

  /** The source's node has answered; null if no engine serves there. */
  private void askAt(InetSocketAddress engine, Reading reading, Throwable failure) {
    if (engine == null) {
      lost(reading, failure);
    } else {
      reading.source.movedTo(engine);
      send(engine, List.of(reading.piece()));
    }
  }

  private void lost(Reading reading, Throwable failure) {
    if (reading.source.isStream()) {
      // Its outputs are to be had one by one.
      reading.request.done().accept(failure);
      return;
    }
    reading.source.leaveToRescue(failure);
    rescue(reading);
  }

  private void rescue(Reading reading) {
    RangeRequest request = reading.request;
    long from = request.offset() + request.into().position() - reading.start;
    int count = request.into().remaining();
    rescue.read(
        reading.source,
        from,
        request.into(),
        reading.source.leftToRescue(),
        failure -> {
          if (failure == null) {
            again.add(reading.source.came(from, count));
          }
          request.done().accept(failure);
        });
  }

  /** The outputs of a map attempt are obsolete. */
  void obsolete(String attempt) {
    synchronized (sources) {
      for (LevitatedSource source : sources) {
        if (source.attempt().equals(attempt)) {
          source.becomeObsolete();
        }
      }
    }
  }

  /** Whether there is something to come: each range comes or fails in the end. Any thread. */
  boolean isWaitedFor() {
    return wantedRanges.get() > 0;
  }

  /** Whether segments stay elsewhere until they are merged. */
  boolean isUsed() {
    synchronized (sources) {
      return !sources.isEmpty();
    }
  }

  @Override
  public String toString() {
    synchronized (sources) {
      long bytes = sources.stream().mapToLong(source -> source.info().partLength()).sum();
      return sources.size()
          + " segments of "
          + bytes
          + " bytes stay at other nodes, in blocks of "
          + blocks.blockBytes();
    }
  }

  /** Ends whatever is under way; its blocks come back when it has ended. Safe to call twice. */
  void close() {
    closed = true;
    blocks.close();
    deferred.forEach(Deferred::giveUp);
    underWay.forEach(Range::cancel);
    rescue.close();
  }
}
