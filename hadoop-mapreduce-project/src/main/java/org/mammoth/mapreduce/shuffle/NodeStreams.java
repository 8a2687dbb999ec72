// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.thirdparty.com.google.common.io.Closer;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.levitated.SourceLostException;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.wire.Wire;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.MergedInput;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stays at other nodes, merged there by each node's engine and here once more. The reduce's
 * list is ordered by node first, then by map; each stream is a run of it, so that the order among
 * equal keys is that of one merge of the whole list, whichever nodes merge. The reduce's thread,
 * but for the counts.
 */
final class NodeStreams implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(NodeStreams.class);

  /** A source keeps as much of a stream at least, for a reader whose connection was cut. */
  private static final int MOST_BLOCK = 256 << 10;

  private static final int LARGEST_WINDOW = 256 << 10;

  /** Below a disk's page, so that the heap holds the windows of very many. */
  private static final int SMALLEST_WINDOW = 512;

  private static final long ALL_WINDOWS = 32L << 20;

  /** Passes over what the reduce has read already. */
  private static final int SKIP_BYTES = 64 << 10;

  private final JobConf job;
  private final UnitSource units;
  private final KeyOrder order;
  private final int orderNumber;
  private final Runnable alive;
  private final List<SegmentCursor> cursors = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();
  private final List<BlockSpace> spaces = new ArrayList<>();
  private int single;

  /** Inputs in a row: outputs of one node that it may merge, or one input as it is. */
  private record Place(List<? extends ReduceInput> inputs, Opening opening) {}

  /** Outputs that a node was asked to merge. */
  private static final class Opening {
    private final List<LevitatedOutput> outputs;
    private final MergeList list;
    private final InetSocketAddress engine;
    private final Fetch fetch;
    private SegmentInfo info;

    Opening(List<LevitatedOutput> outputs, MergeList list, InetSocketAddress engine, Fetch fetch) {
      this.outputs = outputs;
      this.list = list;
      this.engine = engine;
      this.fetch = fetch;
    }

    Levitation levitation() {
      return outputs.get(0).levitation();
    }
  }

  /** A stream and its reader. */
  private static final class Stream {
    private NodeStream input;
    private SegmentCursor cursor;

    /** Records that had come when the stream broke; -1 while it has not. */
    private long lostAt = -1;

    long records() {
      return lostAt < 0 ? cursor.records() : lostAt;
    }
  }

  /**
   * Nothing is opened yet.
   *
   * @param units for blocks of what is on its way; none is waited for
   * @param orderNumber by which engines know {@code order}
   * @param alive called now and then while nothing can be reduced for long
   */
  NodeStreams(JobConf job, UnitSource units, KeyOrder order, int orderNumber, Runnable alive) {
    this.job = job;
    this.units = units;
    this.order = order;
    this.orderNumber = orderNumber;
    this.alive = alive;
  }

  /**
   * Opens all inputs, as streams where nodes merge them.
   *
   * @return in the order that decides among equal keys
   */
  List<SegmentCursor> open(List<ReduceInput> inputs) throws IOException {
    List<Place> places = arrange(inputs);
    await(places);
    int all = 0;
    int away = 0;
    for (Place place : places) {
      boolean isMerged = place.opening != null && place.opening.info != null;
      all += isMerged ? 1 : place.inputs.size();
      away +=
          isMerged ? 1 : place.inputs.get(0) instanceof LevitatedOutput ? place.inputs.size() : 0;
    }
    BlockSpace blocks = space(away);
    // First: a stream without a block would be read a window at a time, and most bytes are theirs.
    Map<Place, SegmentCursor> merged = new IdentityHashMap<>();
    for (Place place : places) {
      if (place.opening != null && place.opening.info != null) {
        merged.put(place, open(place.opening, blocks, all));
      }
    }
    for (Place place : places) {
      SegmentCursor stream = merged.get(place);
      if (stream != null) {
        cursors.add(stream);
        continue;
      }
      for (ReduceInput input : place.inputs) {
        if (input instanceof LevitatedOutput output) {
          output.levitation().useBlocks(blocks);
          single++;
        }
        cursors.add(cursor(input.open(), input.name(), input.rawLength(), all));
      }
    }
    LOG.info(
        "{} streams of other nodes, {} of their outputs singly, {} inputs in all",
        streams.size(),
        single,
        cursors.size());
    return cursors;
  }

  private SegmentCursor cursor(SegmentInput input, String name, long length, int all) {
    long window = Math.min(LARGEST_WINDOW, ALL_WINDOWS / Math.max(1, all));
    return new SegmentCursor(
        order,
        input,
        name,
        (int) Math.min(Math.max(SMALLEST_WINDOW, window), Math.max(length, 1)),
        length);
  }

  private BlockSpace space(int segments) {
    long budget = ShuffleKeys.LEVITATED_BUFFER_BYTES.get(job);
    long most = Math.min(MOST_BLOCK, ShuffleKeys.LEVITATED_BLOCK_BYTES.get(job));
    long fits = budget / (2L * Math.max(1, segments)) / BlockSizes.SMALLEST * BlockSizes.SMALLEST;
    long block = Math.min(most, Math.max(BlockSizes.SMALLEST, fits));
    BlockSpace space = new BlockSpace(units, (int) Math.min(units.unitBytes(), block), budget);
    spaces.add(space);
    return space;
  }

  private List<Place> arrange(List<ReduceInput> inputs) {
    Map<InetSocketAddress, List<LevitatedOutput>> byNode = new LinkedHashMap<>();
    List<Place> places = new ArrayList<>();
    List<InetSocketAddress> engines = new ArrayList<>();
    for (ReduceInput input : inputs) {
      if (input instanceof LevitatedOutput output && output.staysAway()) {
        List<LevitatedOutput> known = byNode.get(output.engine());
        if (known == null) {
          known = new ArrayList<>();
          byNode.put(output.engine(), known);
          places.add(null);
          engines.add(output.engine());
        }
        known.add(output);
      } else {
        places.add(new Place(List.of(input), null));
      }
    }
    int next = 0;
    for (int i = 0; i < places.size(); i++) {
      if (places.get(i) == null) {
        InetSocketAddress engine = engines.get(next++);
        List<LevitatedOutput> its = byNode.get(engine);
        its.sort(Comparator.comparing(output -> TaskAttemptID.forName(output.name())));
        places.set(i, new Place(its, ask(engine, its)));
      }
    }
    return places;
  }

  /** Asks a node to merge; null if it is of no use. */
  private Opening ask(InetSocketAddress engine, List<LevitatedOutput> outputs) {
    if (outputs.size() < 2 || outputs.size() > Wire.MAX_MERGED) {
      return null;
    }
    List<MergeList.Part> parts = new ArrayList<>();
    outputs.forEach(each -> parts.add(new MergeList.Part(each.name(), each.identity())));
    RemoteLink link = outputs.get(0).levitation().link();
    MergeList unnamed = new MergeList(link.job(), "", link.partition(), orderNumber, parts);
    String name = String.format("%s.%016x", link.attempt(), unnamed.identity());
    MergeList list = new MergeList(link.job(), name, link.partition(), orderNumber, parts);
    return new Opening(outputs, list, engine, link.client().merge(engine, list));
  }

  /** Waits until all nodes have answered. */
  private void await(List<Place> places) throws IOException {
    for (Place place : places) {
      Opening opening = place.opening;
      if (opening != null) {
        try {
          opening.info = fits(opening, opening.fetch.future().get());
        } catch (ExecutionException e) {
          LOG.info(
              "The outputs of {} maps are merged singly: {}",
              opening.outputs.size(),
              e.getCause().getMessage());
        } catch (InterruptedException e) {
          places.forEach(NodeStreams::giveUp);
          Thread.currentThread().interrupt();
          InterruptedIOException ended =
              new InterruptedIOException("the reduce was ended while nodes got ready to merge");
          ended.initCause(e);
          throw ended;
        }
      }
    }
  }

  private static void giveUp(Place place) {
    Opening opening = place.opening;
    if (opening != null) {
      opening.fetch.cancel();
      opening.levitation().link().client().unmerge(opening.engine, opening.list.key());
    }
  }

  /** The lengths of a merge, if they are those of its outputs. */
  private static SegmentInfo fits(Opening opening, SegmentInfo info) {
    long length = MergedInput.MARK_BYTES;
    for (LevitatedOutput output : opening.outputs) {
      length += output.rawLength() - MergedInput.MARK_BYTES;
    }
    if (info.identity() == opening.list.identity() && info.partLength() == length) {
      return info;
    }
    LOG.warn(
        "{} merges {} outputs into {} bytes instead of {}; they are merged singly",
        opening.engine,
        opening.outputs.size(),
        info.partLength(),
        length);
    return null;
  }

  private SegmentCursor open(Opening opening, BlockSpace blocks, int all) {
    Levitation levitation = opening.levitation();
    LevitatedSource source =
        levitation.stream(
            opening.outputs.get(0).node(), opening.list.name(), opening.info, opening.engine);
    long length = opening.info.partLength();
    levitation.useBlocks(blocks);
    Stream stream = new Stream();
    stream.input =
        new NodeStream(
            levitation.segment(source, null, 0),
            length,
            (position, why) -> singly(opening, stream, position, why),
            () -> levitation.endStream(source));
    streams.add(stream);
    String name = opening.outputs.size() + " outputs that " + opening.engine + " merges";
    stream.cursor = cursor(stream.input, name, length, all);
    return stream.cursor;
  }

  /** Merges here what a node merges no more, and passes over what has been read. */
  private SegmentInput singly(
      Opening opening, Stream stream, long position, SourceLostException why) throws IOException {
    LOG.warn(
        "{} does not merge any more, its {} outputs are merged singly from byte {} on: {}",
        opening.engine,
        opening.outputs.size(),
        position,
        why.getMessage());
    stream.lostAt = stream.cursor.records();
    single += opening.outputs.size();
    Levitation levitation = opening.levitation();
    levitation.comesAgain(position);
    levitation.useBlocks(space(opening.outputs.size()));
    List<SegmentCursor> its = new ArrayList<>();
    for (LevitatedOutput output : opening.outputs) {
      its.add(cursor(output.open(), output.name(), output.rawLength(), opening.outputs.size()));
    }
    levitation.begin();
    MergedInput merged = new MergedInput(new MergeQueue(order, its));
    byte[] skipped = new byte[SKIP_BYTES];
    long left = position;
    while (left > 0) {
      int read = merged.read(skipped, 0, (int) Math.min(left, skipped.length));
      if (read < 0) {
        throw new IOException(opening.list.key() + " is shorter than it was");
      }
      left -= read;
      alive.run();
    }
    return merged;
  }

  /** Bytes that other nodes merged. */
  long mergedBytes() {
    return streams.stream().mapToLong(each -> each.input.mergedBytes()).sum();
  }

  /** Records of these. */
  long mergedRecords() {
    return streams.stream().mapToLong(Stream::records).sum();
  }

  /** Outputs of other nodes that were not merged there, or not to the end. */
  int singleOutputs() {
    return single;
  }

  /** Gives everything back; the inputs are closed by their owner. Safe to call twice. */
  @Override
  public void close() throws IOException {
    spaces.forEach(BlockSpace::close);
    try (Closer all = Closer.create()) {
      streams.forEach(each -> all.register(each.input::close));
    }
  }
}
