// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that have ended, on disk, and in memory what lists and sums need of them. A record is the
 * job's id, a zero byte, and deflated JSON. A job that is written again on the same day replaces
 * what was written of it before.
 *
 * <p>One thread writes; any number may read meanwhile.
 */
public final class JobArchive implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(JobArchive.class);

  /** Of one file; what was recorded in it goes together. */
  static final long SPAN = Duration.ofDays(1).toMillis();

  private final ObjectMapper json =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private final SegmentLog log;
  private final long keepMs;
  private final long maxBytes;
  private final Map<String, JobDigest> digests = new ConcurrentHashMap<>();
  private final Map<Path, String> unread = new ConcurrentHashMap<>();
  private long retainedMs;
  private volatile boolean loaded;

  /**
   * Opens the archive; {@link #load} reads what is in it.
   *
   * @param keepMs of how much recorded time jobs are kept
   * @param maxBytes on disk; the oldest day goes first
   */
  public JobArchive(Path dir, long keepMs, long maxBytes) throws IOException {
    this(dir, keepMs, maxBytes, AppendFile.Disk.REAL);
  }

  JobArchive(Path dir, long keepMs, long maxBytes, AppendFile.Disk disk) throws IOException {
    this.keepMs = keepMs;
    this.maxBytes = maxBytes;
    this.log = new SegmentLog(dir, SPAN, disk);
  }

  /**
   * Reads what is in it, before anything is recorded; when called again, what could not be read
   * then. It takes some seconds for 100,000 jobs; readers find those that were read so far. A file
   * that cannot be read hides nothing but what is in it.
   */
  public void load() {
    for (SegmentLog.Segment segment : all()) {
      if (!loaded || unread.containsKey(segment.path())) {
        load(segment);
      }
    }
    loaded = true;
  }

  private void load(SegmentLog.Segment segment) {
    try {
      SegmentLog.read(
          segment,
          (bytes, length) -> {
            JobRecord job = parse(bytes, length);
            if (job != null) {
              digests.merge(
                  job.id(), JobDigest.of(job, segment.startMs()), JobArchive::firstRecorded);
            }
          });
      unread.remove(segment.path());
    } catch (UncheckedIOException e) {
      if (unread.put(segment.path(), String.valueOf(e.getCause().getMessage())) == null) {
        LOG.error("Jobs that were recorded cannot be read", e);
      }
    }
  }

  /**
   * A job is recorded again on a later day only if the file of its first day could not be read
   * then: long after its end, and without what only that moment knew.
   */
  private static JobDigest firstRecorded(JobDigest a, JobDigest b) {
    return a.recordedMs() < b.recordedMs() ? a : b;
  }

  /** Which files cannot be read, and why, in words; empty if all can. */
  public String unread() {
    return unread.entrySet().stream()
        .findFirst()
        .map(
            first ->
                "Jobs of "
                    + unread.size()
                    + (unread.size() == 1 ? " file" : " files")
                    + " are missing here, as the disk does not give them: "
                    + first.getKey()
                    + ": "
                    + first.getValue())
        .orElse("");
  }

  /** Whether all that is in it has been read, or tried. */
  public boolean loaded() {
    return loaded;
  }

  private List<SegmentLog.Segment> all() {
    return log.segments(Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
  }

  /**
   * Records a job.
   *
   * @throws IOException if the disk does not take it; nothing of it is there then
   */
  public void append(long nowMs, JobRecord job) throws IOException {
    if (nowMs - retainedMs >= SPAN / 24) {
      retainedMs = nowMs;
      retain();
    }
    byte[] record = record(job);
    log.append(nowMs, record, record.length);
    digests.merge(job.id(), JobDigest.of(job, nowMs - nowMs % SPAN), JobArchive::firstRecorded);
  }

  /** Deletes what is too old or too much, on disk and in memory. */
  private void retain() throws IOException {
    log.keep(keepMs);
    boolean more = true;
    while (more && log.bytes() > maxBytes) {
      more = log.dropOldest();
    }
    Set<Long> left = all().stream().map(SegmentLog.Segment::startMs).collect(Collectors.toSet());
    digests.values().removeIf(digest -> !left.contains(digest.recordedMs()));
    unread.keySet().removeIf(path -> all().stream().noneMatch(one -> one.path().equals(path)));
  }

  public boolean has(String id) {
    return digests.containsKey(id);
  }

  /** Null if the job is not here. */
  public JobDigest digest(String id) {
    return digests.get(id);
  }

  /** All jobs, in no order; jobs may come and go while it is read. */
  public Collection<JobDigest> digests() {
    return Collections.unmodifiableCollection(digests.values());
  }

  /** All that is kept of a job, read from disk; null if the job is not here. */
  public JobRecord read(String id) {
    JobDigest digest = digests.get(id);
    if (digest == null) {
      return null;
    }
    byte[] prefix = prefix(id);
    AtomicReference<JobRecord> found = new AtomicReference<>();
    for (SegmentLog.Segment segment : log.segments(digest.recordedMs(), digest.recordedMs())) {
      SegmentLog.read(
          segment,
          (bytes, length) -> {
            if (startsWith(bytes, length, prefix)) {
              found.set(parse(bytes, length));
            }
          });
    }
    return found.get();
  }

  private static byte[] prefix(String id) {
    return (id + '\0').getBytes(StandardCharsets.UTF_8);
  }

  private static boolean startsWith(byte[] bytes, int length, byte[] prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if (i >= length || bytes[i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private byte[] record(JobRecord job) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
    bytes.write(prefix(job.id()));
    Deflater best = new Deflater(Deflater.DEFAULT_COMPRESSION);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, best)) {
      out.write(json.writeValueAsBytes(job));
    } finally {
      best.end();
    }
    return bytes.toByteArray();
  }

  /** Null for what this version cannot read: one record must not hide the others. */
  private JobRecord parse(byte[] bytes, int length) {
    int start = 0;
    while (start < length && bytes[start] != 0) {
      start++;
    }
    try {
      return json.readValue(
          new InflaterInputStream(new ByteArrayInputStream(bytes, start + 1, length - start - 1)),
          JobRecord.class);
    } catch (IOException e) {
      LOG.warn("A job of an archive that checks cannot be read: another version wrote it", e);
      return null;
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
