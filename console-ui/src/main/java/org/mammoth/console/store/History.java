// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.model.Figures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console's history: rows of numbers by key, at the grain of a second for hours and of a minute
 * for weeks. Keys are spread over shards, so that reading one reads a part of what was written.
 *
 * <p>A process that is killed loses nothing it had appended. The minute that ran then is folded
 * again from its seconds at the next start. Old files go by how much was recorded after them, not
 * by a clock.
 *
 * <p>One thread writes; any number may read meanwhile.
 */
public final class History implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(History.class);
  private static final int SHARDS = 16;
  private static final long MINUTE = 60_000;
  private static final long SECOND_SPAN = Duration.ofMinutes(5).toMillis();
  private static final long MINUTE_SPAN = Duration.ofHours(6).toMillis();
  private static final long FORCE_EVERY = 10_000;

  private final List<SeriesLog> seconds = new ArrayList<>();
  private final List<SeriesLog> minutes = new ArrayList<>();
  private final List<MinuteFold> folds = new ArrayList<>();
  private final Limits limits;
  private long foldedMinute = -1;
  private long lastForce;

  /**
   * How much is kept.
   *
   * @param secondsMs of how much recorded time the second's grain is kept
   * @param minutesMs of how much recorded time the minute's grain is kept
   * @param maxBytes on disk, of both together
   */
  public record Limits(long secondsMs, long minutesMs, long maxBytes) {}

  /**
   * Rows of one key.
   *
   * @param grainMs 1,000 or 60,000; at the minute's grain a row is the means, then the maxima
   * @param spanMs how much of the time asked for rows are kept of, whether this key has some or not
   */
  public record Series(long grainMs, long spanMs, List<Long> times, List<long[]> rows) {

    /** The value of a column, at the minute's grain its mean; unknown if the row lacks it. */
    public long value(int row, int column) {
      return column < width(row) ? rows.get(row)[column] : Figures.UNKNOWN;
    }

    /** The largest value of a column within the row's second or minute; unknown if it lacks it. */
    public long peak(int row, int column) {
      int width = width(row);
      return column < width
          ? rows.get(row)[grainMs == MINUTE ? width + column : column]
          : Figures.UNKNOWN;
    }

    private int width(int row) {
      return grainMs == MINUTE ? rows.get(row).length / 2 : rows.get(row).length;
    }
  }

  /** Opens the history in {@code dir}, which may hold an earlier process's. */
  public History(Path dir, Limits limits, long nowMs) throws IOException {
    this(dir, limits, nowMs, AppendFile.Disk.REAL);
  }

  History(Path dir, Limits limits, long nowMs, AppendFile.Disk disk) throws IOException {
    this.limits = limits;
    for (int i = 0; i < SHARDS; i++) {
      seconds.add(
          new SeriesLog(dir.resolve("second").resolve(String.valueOf(i)), SECOND_SPAN, disk));
      minutes.add(
          new SeriesLog(dir.resolve("minute").resolve(String.valueOf(i)), MINUTE_SPAN, disk));
      folds.add(new MinuteFold());
    }
    recover(nowMs);
    retain();
  }

  private static int shard(String key) {
    // What belongs to one node lies together, as it is read together.
    String[] part = key.split("\\|", 3);
    return Math.floorMod((part.length > 1 ? part[1] : key).hashCode(), SHARDS);
  }

  /** Seconds that were not folded when the last process ended become minutes. */
  private void recover(long nowMs) {
    for (int i = 0; i < SHARDS; i++) {
      try {
        recover(i, nowMs);
      } catch (UncheckedIOException e) {
        // A file that cannot be read must not keep the console from starting.
        LOG.error("The last minutes before this start may have no rows in history", e);
      }
    }
  }

  private void recover(int i, long nowMs) {
    long[] newest = {-1};
    minutes
        .get(i)
        .readWhole(nowMs - limits.secondsMs(), nowMs, k -> true, (t, k, v) -> newest[0] = t);
    Map<Long, MinuteFold> open = new TreeMap<>();
    seconds
        .get(i)
        .readWhole(
            Math.max(newest[0] + MINUTE, nowMs - limits.secondsMs()),
            nowMs,
            key -> true,
            (time, key, values) ->
                open.computeIfAbsent(time - time % MINUTE, m -> new MinuteFold()).add(key, values));
    for (Map.Entry<Long, MinuteFold> minute : open.entrySet()) {
      try {
        minutes.get(i).append(minute.getKey(), minute.getValue().rows());
      } catch (IOException e) {
        // Seconds are still there; a disk that is full now must not keep the console from
        // starting.
        LOG.warn("The minute of {} has no row in history", minute.getKey(), e);
      }
    }
  }

  /**
   * Adds the rows of one second. Times must not go back.
   *
   * @throws IOException if some of it could not be written; what was before is as it was, and the
   *     next second is tried as if nothing had been
   */
  public void append(long timeMs, Map<String, long[]> rows) throws IOException {
    long minute = timeMs - timeMs % MINUTE;
    IOException failure = null;
    if (foldedMinute != minute) {
      // First what is too old: that may make the room.
      try {
        retain();
      } catch (IOException e) {
        // Files that the disk does not tell of are no reason to record nothing.
        failure = e;
      }
      IOException unfolded = fold();
      failure = unfolded == null ? failure : unfolded;
      foldedMinute = minute;
    }
    List<Map<String, long[]>> byShard = new ArrayList<>();
    for (int i = 0; i < SHARDS; i++) {
      byShard.add(new HashMap<>());
    }
    rows.forEach(
        (key, values) -> {
          int shard = shard(key);
          byShard.get(shard).put(key, values);
          folds.get(shard).add(key, values);
        });
    for (int i = 0; i < SHARDS; i++) {
      if (!byShard.get(i).isEmpty()) {
        try {
          seconds.get(i).append(timeMs, byShard.get(i));
        } catch (IOException e) {
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    if (timeMs - lastForce >= FORCE_EVERY) {
      lastForce = timeMs;
      for (SeriesLog shard : seconds) {
        shard.log().force();
      }
    }
  }

  /** Writes the minute; a shard that fails loses its minute, not its seconds. Null if none did. */
  private IOException fold() {
    IOException failure = null;
    for (int i = 0; i < SHARDS; i++) {
      if (!folds.get(i).isEmpty()) {
        try {
          minutes.get(i).append(foldedMinute, folds.get(i).rows());
        } catch (IOException e) {
          failure = e;
        }
        folds.get(i).clear();
      }
    }
    return failure;
  }

  private void retain() throws IOException {
    long bytes = 0;
    for (int i = 0; i < SHARDS; i++) {
      seconds.get(i).log().keep(limits.secondsMs());
      minutes.get(i).log().keep(limits.minutesMs());
      bytes += seconds.get(i).log().bytes() + minutes.get(i).log().bytes();
    }
    int dropped = 0;
    while (bytes > limits.maxBytes()) {
      SegmentLog oldest = null;
      for (List<SeriesLog> grain : List.of(seconds, minutes)) {
        for (SeriesLog shard : grain) {
          if (oldest == null || shard.log().oldestStartMs() < oldest.oldestStartMs()) {
            oldest = shard.log();
          }
        }
      }
      long before = oldest.bytes();
      if (!oldest.dropOldest()) {
        break;
      }
      dropped++;
      bytes -= before - oldest.bytes();
    }
    if (dropped > 0) {
      LOG.warn(
          "History exceeded {} bytes; its {} oldest files are gone"
              + " ("
              + ConsoleKeys.HISTORY_MAX_MB
              + ")",
          limits.maxBytes(),
          dropped);
    }
  }

  /**
   * Rows of one key, at the finest grain that still is there for the whole span.
   *
   * @param nowMs the present, which decides the grain
   */
  public Series read(String key, long fromMs, long toMs, long nowMs) {
    List<Long> times = new ArrayList<>();
    List<long[]> rows = new ArrayList<>();
    boolean fine = fromMs >= nowMs - limits.secondsMs() - SECOND_SPAN;
    SeriesLog log = (fine ? seconds : minutes).get(shard(key));
    log.read(
        fromMs,
        toMs,
        key::equals,
        (time, k, values) -> {
          times.add(time);
          rows.add(values.clone());
        });
    long keptMs = fine ? limits.secondsMs() + SECOND_SPAN : limits.minutesMs() + MINUTE_SPAN;
    long spanMs = Math.min(toMs, nowMs) - Math.max(fromMs, nowMs - keptMs);
    return new Series(fine ? 1000 : MINUTE, Math.max(0, spanMs), times, rows);
  }

  /** Keys that begin with {@code prefix}, which names a node, and have a row in the span. */
  public java.util.Set<String> keys(String prefix, long fromMs, long toMs, long nowMs) {
    java.util.Set<String> keys = new java.util.TreeSet<>();
    boolean fine = fromMs >= nowMs - limits.secondsMs() - SECOND_SPAN;
    (fine ? seconds : minutes)
        .get(shard(prefix))
        .read(fromMs, toMs, key -> key.startsWith(prefix), (time, key, values) -> keys.add(key));
    return keys;
  }

  /** Bytes on disk. */
  public long bytes() throws IOException {
    long sum = 0;
    for (int i = 0; i < SHARDS; i++) {
      sum += seconds.get(i).log().bytes() + minutes.get(i).log().bytes();
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    IOException failure = fold();
    for (int i = 0; i < SHARDS; i++) {
      seconds.get(i).close();
      minutes.get(i).close();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
