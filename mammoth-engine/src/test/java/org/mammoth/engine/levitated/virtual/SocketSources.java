// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.levitated.Range;
import org.mammoth.engine.levitated.RangeFetcher;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.shuffle.LoopbackNodes;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.server.Segment;

/**
 * Generated segments at nodes with real shuffle servers on the loopback, read through the client
 * and the fetcher of an engine: frames, credit, checksums and all. Segment i is at node i modulo
 * their number.
 */
final class SocketSources implements RangeReader, AutoCloseable {

  private static final String JOB = "job_1_0001";
  private static final String ATTEMPT = "attempt_1_0001_m_";
  private static final int IDENTITY = 1;

  /** As an engine has them. */
  private static final int SLOTS = 4;

  private static final long BATCH_BYTES = 4L << 20;

  private final GeneratedSegments source;
  private final LoopbackNodes nodes;
  private final RangeFetcher fetcher;

  SocketSources(GeneratedSegments source, int count) throws IOException {
    this.source = source;
    nodes =
        new LoopbackNodes(
            (job, attempt, partition) ->
                new Generated(Integer.parseInt(attempt.substring(ATTEMPT.length()))),
            count);
    fetcher = new RangeFetcher(nodes.client()::fetchAll, nodes.clock(), SLOTS, BATCH_BYTES);
  }

  @Override
  public void read(List<RangeRequest> requests) {
    List<List<Range>> byNode = new ArrayList<>();
    nodes.addresses().forEach(each -> byNode.add(new ArrayList<>()));
    for (RangeRequest request : requests) {
      byNode.get(request.segment() % byNode.size()).add(new Wanted(request));
    }
    for (int node = 0; node < byNode.size(); node++) {
      if (!byNode.get(node).isEmpty()) {
        fetcher.fetch(nodes.addresses().get(node), byNode.get(node));
      }
    }
  }

  /** A range on its way. */
  private static final class Wanted extends Range {
    private final RangeRequest request;

    Wanted(RangeRequest request) {
      super(
          new SegmentKey(JOB, ATTEMPT + request.segment(), 0),
          IDENTITY,
          request.offset(),
          request.into());
      this.request = request;
    }

    @Override
    protected void ended(SegmentInfo segment, Throwable failure) {
      request.done().accept(failure);
    }
  }

  /** A segment whose bytes are made when they are asked for. */
  private final class Generated implements Segment {
    private final int number;

    Generated(int number) {
      this.number = number;
    }

    @Override
    public long rawLength() {
      return source.length();
    }

    @Override
    public long partLength() {
      return source.length();
    }

    @Override
    public long identity() {
      return IDENTITY;
    }

    @Override
    public int flags() {
      return SegmentInfo.IN_MEMORY;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      source.read(number, offset, into);
    }

    @Override
    public void close() {
      // nothing is held
    }
  }

  @Override
  public void close() throws InterruptedException {
    nodes.close();
  }
}
