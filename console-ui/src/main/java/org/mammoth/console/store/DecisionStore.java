package org.mammoth.console.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.Decision;

/**
 * Decisions of all nodes as they were seen, on disk, for as long as history keeps seconds.
 *
 * <p>One thread writes; any number may read meanwhile.
 */
public final class DecisionStore implements Closeable {

  private static final int SHARDS = 16;
  private static final long SPAN = Duration.ofMinutes(5).toMillis();

  private final ObjectMapper json = new ObjectMapper();
  private final List<SegmentLog> shards = new ArrayList<>();
  private final long keepMs;
  private final long maxBytes;
  private long retainedMs;

  /** One decision with its node. */
  public record Entry(String node, Decision decision) {}

  public DecisionStore(Path dir, long keepMs, long maxBytes) throws IOException {
    this.keepMs = keepMs;
    this.maxBytes = maxBytes;
    for (int i = 0; i < SHARDS; i++) {
      shards.add(new SegmentLog(dir.resolve(String.valueOf(i)), SPAN));
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
        shard.dropBefore(nowMs - keepMs);
        while (shard.bytes() > maxBytes / SHARDS && shard.dropOldest()) {
          retainedMs = nowMs;
        }
      }
    }
    for (Decision decision : decisions) {
      byte[] record = json.writeValueAsBytes(new Entry(node, decision));
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
    for (SegmentLog.Segment segment : shard(node).segments(fromMs, toMs + SPAN)) {
      SegmentLog.read(
          segment,
          (bytes, length) -> {
            Entry entry = parse(bytes, length);
            Decision decision = entry.decision();
            if (entry.node().equals(node)
                && decision.timeMs() >= fromMs
                && decision.timeMs() <= toMs) {
              // The same number again is the same decision, grown.
              found.put(decision.engine() + '#' + decision.sequence(), decision);
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

  private Entry parse(byte[] bytes, int length) {
    try {
      return json.readValue(new String(bytes, 0, length, StandardCharsets.UTF_8), Entry.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record that checks is no decision", e);
    }
  }

  @Override
  public void close() throws IOException {
    for (SegmentLog shard : shards) {
      shard.close();
    }
  }
}
