// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.mammoth.console.model.Event;

/**
 * Events on disk, for as long as history keeps minutes. Files go by how much was recorded after
 * them, not by a clock.
 *
 * <p>One thread at a time writes; any number may read meanwhile.
 */
public final class EventStore implements Closeable {

  private static final long SPAN = Duration.ofHours(6).toMillis();
  private static final long FORCE_EVERY = 10_000;

  private final ObjectMapper json =
      new ObjectMapper()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          // A later release may have written kinds that this one does not know.
          .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL);
  private final SegmentLog log;
  private final long keepMs;
  private final long maxBytes;
  private long retainedMs = Long.MIN_VALUE / 2;
  private long forcedMs = Long.MIN_VALUE / 2;

  /**
   * Opens the events in {@code dir}, which may hold an earlier process's.
   *
   * @param keepMs of how much recorded time events are kept
   * @param maxBytes on disk; the oldest files go first
   */
  public EventStore(Path dir, long keepMs, long maxBytes) throws IOException {
    this(dir, keepMs, maxBytes, AppendFile.Disk.REAL);
  }

  EventStore(Path dir, long keepMs, long maxBytes, AppendFile.Disk disk) throws IOException {
    this.keepMs = keepMs;
    this.maxBytes = maxBytes;
    this.log = new SegmentLog(dir, SPAN, disk);
  }

  /**
   * Adds an event. Times must not go back within a process.
   *
   * @throws IOException if it could not be written; what was before is as it was
   */
  public void append(Event event) throws IOException {
    long now = event.timeMs();
    if (log.rolls(now) || now - retainedMs >= SPAN / 6) {
      retainedMs = now;
      log.keep(keepMs);
      while (log.bytes() > maxBytes && log.dropOldest()) {
        retainedMs = now;
      }
    }
    byte[] record = json.writeValueAsBytes(event);
    log.append(now, record, record.length);
    if (now - forcedMs >= FORCE_EVERY) {
      forcedMs = now;
      log.force();
    }
  }

  /**
   * The latest events of a span, newest first.
   *
   * @param wanted which of them
   * @param limit how many at most
   */
  public List<Event> read(long fromMs, long toMs, Predicate<Event> wanted, int limit) {
    List<SegmentLog.Segment> files = new ArrayList<>(log.segments(fromMs, toMs));
    List<Event> found = new ArrayList<>();
    // The newest file first: most who ask want no more than it has.
    for (int i = files.size() - 1; i >= 0 && found.size() < limit; i--) {
      Deque<Event> last = new ArrayDeque<>();
      int room = limit - found.size();
      log.visit(
          files.get(i),
          (bytes, length) -> {
            Event event = parse(bytes, length);
            if (event.kind() != null
                && event.timeMs() >= fromMs
                && event.timeMs() <= toMs
                && wanted.test(event)) {
              last.addFirst(event);
              if (last.size() > room) {
                last.removeLast();
              }
            }
          });
      found.addAll(last);
    }
    return found;
  }

  private Event parse(byte[] bytes, int length) {
    try {
      return json.readValue(bytes, 0, length, Event.class);
    } catch (IOException e) {
      throw new IllegalStateException("a record that checks holds no event", e);
    }
  }

  /** Bytes on disk. */
  public long bytes() throws IOException {
    return log.bytes();
  }

  @Override
  public void close() {
    log.close();
  }
}
