// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VLongWritable;

/** What a map emits for a record: a pure function of the record's text and the plan. */
final class Emission {
  /** A resource that only a class path file of the job brings. */
  static final String TABLE = "compat-table.properties";

  /** Records longer than this are passed on whole, so that one record outgrows the sort buffer. */
  private static final int WHOLE = 500_000;

  /** Where the emitted records go. */
  interface Sink {
    void put(Object key, Object value) throws IOException, InterruptedException;
  }

  private final JobPlan plan;
  private final long salt;

  Emission(JobPlan plan) {
    this.plan = plan;
    salt = plan.classPathFile ? salt() : 0;
  }

  private static long salt() {
    try (InputStream in =
        Thread.currentThread().getContextClassLoader().getResourceAsStream(TABLE)) {
      if (in == null) {
        throw new IOException(
            TABLE + " is not on the task's class path; the job put it into its class path files");
      }
      Properties table = new Properties();
      table.load(in);
      return Long.parseLong(table.getProperty("salt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int emit(String record, Sink sink) throws IOException, InterruptedException {
    long hash = Mix.of(record) + salt;
    int count = record.isEmpty() ? 1 : plan.emits + (int) Long.remainderUnsigned(hash, 2);
    for (int i = 0; i < count; i++) {
      long mixed = Mix.of(hash + i);
      boolean favourite = plan.skew && Long.remainderUnsigned(mixed >>> 7, 10) != 0;
      long token = favourite ? 3 : Long.remainderUnsigned(mixed, plan.distinctKeys);
      if (token == Kind.EMPTY_WORD && plan.order == JobPlan.Order.FIELD) {
        // to upstream's comparator no key without the field equals itself, so that their order is
        // whatever a sorter makes of that
        token++;
      }
      sink.put(plan.key.of(token), value(record, Long.remainderUnsigned(Mix.of(mixed), 1000)));
    }
    return count;
  }

  private Object value(String record, long token) {
    return switch (plan.fold) {
      case SUM ->
          plan.value == Kind.LONG ? new LongWritable(token - 300) : new VLongWritable(token - 300);
      case MEAN -> new Text("1:" + (token - 300));
      case DISTINCT -> record.length() > WHOLE ? whole(record, token) : plan.value.of(token % 20);
      case LIST -> passesWhole(record) ? whole(record, token) : plan.value.of(token);
    };
  }

  /** In big jobs every value has some weight, so that one megabyte of sort buffer overflows. */
  private boolean passesWhole(String record) {
    return record.length() > WHOLE || plan.size == JobPlan.Size.BIG;
  }

  private Object whole(String record, long token) {
    return switch (plan.value) {
      case TEXT -> new Text(record);
      case BYTES -> bytes(record);
      case REST -> new Rest(record);
      default -> plan.value.of(token);
    };
  }

  private static BytesWritable bytes(String record) {
    return new BytesWritable(record.getBytes(StandardCharsets.UTF_8));
  }
}
