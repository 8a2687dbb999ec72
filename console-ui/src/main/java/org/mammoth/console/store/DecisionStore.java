// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** Ends a record that has its node's name behind it, and before this how long that is. */
  private static final int TAIL = 0x6e6f6465;

  private static final int TAIL_BYTES = 8;

  /** How many decisions are held beyond what is asked for, so that they are seldom sorted. */
  private static final int ROOM = 1000;

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
      byte[] record = record(node, json.writeValueAsBytes(new Batch(node, decisions)));
      shard(node).append(nowMs, record, record.length);
    }
  }

  /**
   * The latest decisions of a node within a span, newest first. No more than some thousands are
   * held at any time, however many there are.
   *
   * @param limit how many at most
   */
  public List<Decision> read(String node, long fromMs, long toMs, int limit) {
    // Files go by when a decision was seen, which may be some seconds after it was made.
    SegmentLog log = shard(node);
    List<SegmentLog.Segment> files = new ArrayList<>(log.segments(fromMs, toMs + SPAN));
    Newest newest = new Newest(limit);
    for (int i = files.size() - 1; i >= 0; i--) {
      Newest older = new Newest(limit);
      log.visit(
          files.get(i),
          (bytes, length) -> {
            Batch batch = isOfAnother(node, bytes, length) ? null : parse(bytes, length);
            if (batch != null && batch.node().equals(node)) {
              batch.decisions().stream()
                  .filter(made -> made.timeMs() >= fromMs && made.timeMs() <= toMs)
                  .forEach(older::take);
            }
          });
      if (newest.isBehind(older)) {
        // What is in still earlier files is older again.
        break;
      }
      // What an earlier file has of a decision is what it was before it grew.
      older.list().forEach(newest::takeIfNew);
    }
    return newest.list();
  }

  /** The newest decisions, at most so many; that of the same number is the same, grown. */
  private static final class Newest {
    private static final Comparator<Decision> ORDER =
        Comparator.comparingLong(Decision::timeMs).thenComparingLong(Decision::sequence).reversed();

    private final int limit;
    private final Map<String, Decision> found = new LinkedHashMap<>();

    Newest(int limit) {
      this.limit = limit;
    }

    void take(Decision decision) {
      found.put(name(decision), decision);
      if (found.size() > 2 * limit + ROOM) {
        cut();
      }
    }

    void takeIfNew(Decision decision) {
      if (!found.containsKey(name(decision))) {
        take(decision);
      }
    }

    private static String name(Decision decision) {
      return decision.engine() + '#' + decision.sequence();
    }

    List<Decision> list() {
      List<Decision> list = new ArrayList<>(found.values());
      list.sort(ORDER);
      return list.size() > limit ? new ArrayList<>(list.subList(0, limit)) : list;
    }

    private void cut() {
      List<Decision> kept = list();
      found.clear();
      kept.forEach(decision -> found.put(name(decision), decision));
    }

    /** Whether there are as many as are wanted, and others have some, none of which is newer. */
    boolean isBehind(Newest others) {
      List<Decision> own = list();
      return own.size() == limit
          && !others.found.isEmpty()
          && ORDER.compare(own.get(limit - 1), others.list().get(0)) <= 0;
    }
  }

  /**
   * Decisions repeat names and words; deflated they take a fifth. Behind them is the node's name,
   * so that who looks for another's need not inflate them; earlier releases do not read so far.
   */
  private static byte[] record(String node, byte[] text) throws IOException {
    byte[] name = node.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length / 4 + 64);
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, fast)) {
      out.write(text);
    } finally {
      fast.end();
    }
    bytes.write(name);
    bytes.write(ByteBuffer.allocate(TAIL_BYTES).putInt(name.length).putInt(TAIL).array());
    return bytes.toByteArray();
  }

  /** Whether a record says that it is of another node; one of an earlier release says nothing. */
  private static boolean isOfAnother(String node, byte[] bytes, int length) {
    int end = length - TAIL_BYTES;
    if (end < 0) {
      return false;
    }
    ByteBuffer tail = ByteBuffer.wrap(bytes, end, TAIL_BYTES);
    int size = tail.getInt();
    if (tail.getInt() != TAIL || size < 0 || size > end) {
      return false;
    }
    byte[] name = node.getBytes(StandardCharsets.UTF_8);
    return !Arrays.equals(name, 0, name.length, bytes, end - size, end);
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
