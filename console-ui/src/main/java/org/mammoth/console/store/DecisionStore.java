// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.mammoth.console.model.Decision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decisions of all nodes as they were seen, on disk, for as long as history keeps seconds.
 *
 * <p>One thread writes; any number may read meanwhile.
 */
public final class DecisionStore implements Closeable {

  private static final int SHARDS = 16;
  private static final long SPAN = Duration.ofMinutes(5).toMillis();

  private static final Logger LOG = LoggerFactory.getLogger(DecisionStore.class);

  private final ObjectMapper json =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private final List<SegmentLog> shards = new ArrayList<>();
  private final long keepMs;
  private final long maxBytes;
  private long retainedMs;

  /** What one node had decided since it was asked before. */
  record Batch(String node, List<Decision> decisions) {}

  public DecisionStore(Path dir, long keepMs, long maxBytes) throws IOException {
    this.keepMs = keepMs;
    this.maxBytes = maxBytes;
    for (int i = 0; i < SHARDS; i++) {
      shards.add(new SegmentLog(dir.resolve(String.valueOf(i)), SPAN, AppendFile.Disk.REAL));
    }
  }

  private SegmentLog shard(String node) {
    return shards.get(Math.floorMod(node.hashCode(), SHARDS));
  }

  /** Adds what a node decided, seen at {@code nowMs}. */
  public void append(long nowMs, String node, List<Decision> decisions) throws IOException {
    if (nowMs - retainedMs >= SPAN / 5) {
      retainedMs = nowMs;
      for (SegmentLog shard : shards) {
        shard.keep(keepMs);
        while (shard.bytes() > maxBytes / SHARDS && shard.dropOldest()) {
          retainedMs = nowMs;
        }
      }
    }
    if (!decisions.isEmpty()) {
      byte[] record = deflated(json.writeValueAsBytes(new Batch(node, decisions)));
      shard(node).append(nowMs, record, record.length);
    }
  }

  /**
   * The latest decisions of a node within a span, newest first.
   *
   * @param limit how many at most
   */
  public List<Decision> read(String node, long fromMs, long toMs, int limit) {
    Map<String, Decision> found = new LinkedHashMap<>();
    // Files go by when a decision was seen, which may be some seconds after it was made.
    SegmentLog log = shard(node);
    for (SegmentLog.Segment segment : log.segments(fromMs, toMs + SPAN)) {
      log.visit(
          segment,
          (bytes, length) -> {
            Batch batch = parse(bytes, length);
            if (batch == null || !batch.node().equals(node)) {
              return;
            }
            for (Decision decision : batch.decisions()) {
              if (decision.timeMs() >= fromMs && decision.timeMs() <= toMs) {
                // The same number again is the same decision, grown.
                found.put(decision.engine() + '#' + decision.sequence(), decision);
              }
            }
          });
    }
    List<Decision> newest = new ArrayList<>(found.values());
    newest.sort(
        Comparator.comparingLong(Decision::timeMs)
            .thenComparingLong(Decision::sequence)
            .reversed());
    return newest.size() > limit ? new ArrayList<>(newest.subList(0, limit)) : newest;
  }

  /** Decisions repeat names and words; deflated they take a fifth. */
  private static byte[] deflated(byte[] text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length / 4 + 64);
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, fast)) {
      out.write(text);
    } finally {
      fast.end();
    }
    return bytes.toByteArray();
  }

  /** Null for what this version cannot read: one record must not hide the others. */
  private Batch parse(byte[] bytes, int length) {
    try {
      return json.readValue(
          new InflaterInputStream(new ByteArrayInputStream(bytes, 0, length)), Batch.class);
    } catch (IOException e) {
      LOG.warn("Decisions that check cannot be read: another version wrote them", e);
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    for (SegmentLog shard : shards) {
      shard.close();
    }
  }
}
