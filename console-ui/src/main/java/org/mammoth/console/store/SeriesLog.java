// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Rows of numbers by key and time in a {@link SegmentLog}. Within a file a row is stored as its
 * difference to the row before it of the same key, so that what does not change costs a byte a
 * number.
 *
 * <p>One thread writes; any number may read meanwhile.
 */
final class SeriesLog implements Closeable {

  private final SegmentLog log;
  private final Bytes record = new Bytes();
  private Map<String, Column> columns = new HashMap<>();
  private int ids;

  /** What the file being written or read knows of a key. */
  private static final class Column {
    final int id;
    final String key;
    final long[] last;

    Column(int id, String key, int width) {
      this.id = id;
      this.key = key;
      this.last = new long[width];
    }
  }

  /** Gets the rows a reader asked for. */
  interface Visitor {
    /** The array is used again. */
    void row(long timeMs, String key, long[] values);
  }

  SeriesLog(Path dir, long spanMs, AppendFile.Disk disk) throws IOException {
    this.log = new SegmentLog(dir, spanMs, disk);
  }

  SegmentLog log() {
    return log;
  }

  /** Writes the rows of one moment. */
  void append(long timeMs, Map<String, long[]> rows) throws IOException {
    if (log.rolls(timeMs)) {
      columns = new HashMap<>();
      ids = 0;
    }
    // What the file will know of its keys once the record is written, and not before.
    Map<String, Column> fresh = new HashMap<>();
    record.clear();
    record.putUnsigned(timeMs);
    for (Map.Entry<String, long[]> row : rows.entrySet()) {
      long[] values = row.getValue();
      Column column = columns.get(row.getKey());
      if (column == null || column.last.length != values.length) {
        // With another number of columns, as after an upgrade, a key begins anew.
        column = new Column(ids + fresh.size(), row.getKey(), values.length);
        fresh.put(row.getKey(), column);
        record.putUnsigned(column.id);
        record.putText(column.key);
        record.putUnsigned(values.length);
      } else {
        record.putUnsigned(column.id);
      }
      for (int i = 0; i < values.length; i++) {
        record.putSigned(values[i] - column.last[i]);
      }
    }
    log.append(timeMs, record.array(), record.length());
    columns.putAll(fresh);
    ids += fresh.size();
    rows.forEach(
        (key, values) -> System.arraycopy(values, 0, columns.get(key).last, 0, values.length));
  }

  /**
   * Rows of the keys that {@code wanted} accepts, with fromMs <= time <= toMs, oldest first,
   * without those of files that the disk does not give.
   */
  void read(long fromMs, long toMs, Predicate<String> wanted, Visitor visitor) {
    read(log::visit, fromMs, toMs, wanted, visitor);
  }

  /**
   * The same for who goes on from there.
   *
   * @throws java.io.UncheckedIOException if the disk does not give a file
   */
  void readWhole(long fromMs, long toMs, Predicate<String> wanted, Visitor visitor) {
    read(SegmentLog::read, fromMs, toMs, wanted, visitor);
  }

  private void read(
      BiConsumer<SegmentLog.Segment, BiConsumer<byte[], Integer>> reader,
      long fromMs,
      long toMs,
      Predicate<String> wanted,
      Visitor visitor) {
    for (SegmentLog.Segment segment : log.segments(fromMs, toMs)) {
      List<Column> known = new ArrayList<>();
      List<Boolean> picked = new ArrayList<>();
      reader.accept(
          segment,
          (bytes, length) -> {
            Bytes in = new Bytes(bytes, length);
            long time = in.getUnsigned();
            while (in.hasMore()) {
              int id = (int) in.getUnsigned();
              if (id == known.size()) {
                String key = in.getText();
                known.add(new Column(id, key, (int) in.getUnsigned()));
                picked.add(wanted.test(key));
              }
              Column column = known.get(id);
              for (int i = 0; i < column.last.length; i++) {
                column.last[i] += in.getSigned();
              }
              if (picked.get(id) && time >= fromMs && time <= toMs) {
                visitor.row(time, column.key, column.last);
              }
            }
          });
    }
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
