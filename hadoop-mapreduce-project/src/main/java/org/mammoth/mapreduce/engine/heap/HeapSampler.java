// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordedThreadGroup;
import jdk.jfr.consumer.RecordingFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which tasks allocated what is still alive, from the JVM's own sample of live objects (JFR's
 * event {@code jdk.OldObjectSample}): some hundred objects, chosen by allocated bytes, each with
 * the thread that allocated it; the JVM drops a sample when its object dies. Sampling costs a
 * thread something only when it is given a new allocation buffer. Reading takes some ten
 * milliseconds, or minutes where the heap is full. Thread-safe.
 */
public final class HeapSampler implements HeapHolders.Samples, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HeapSampler.class);

  private static final String EVENT = "jdk.OldObjectSample";

  /** Samples of objects that none of the asked-for tasks allocated. */
  static final String OTHERS = "";

  private final Recording recording;

  private final ExecutorService reader;

  private HeapSampler(Recording recording, ExecutorService reader) {
    this.recording = recording;
    this.reader = reader;
  }

  /**
   * Begins to sample; empty where the JVM can't. Takes up to a second.
   *
   * @param threads makes the one that reads
   */
  public static Optional<HeapSampler> start(ThreadFactory threads) {
    try {
      if (!FlightRecorder.isAvailable()) {
        LOG.info("This JVM has no flight recorder: live objects are not sampled");
        return Optional.empty();
      }
      Recording recording = new Recording();
      recording.setName("mammoth-heap");
      recording.setToDisk(false);
      recording.enable(EVENT).with("cutoff", "0 ns").withoutStackTrace();
      recording.start();
      return Optional.of(new HeapSampler(recording, Executors.newSingleThreadExecutor(threads)));
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Live objects are not sampled", e);
      return Optional.empty();
    }
  }

  /**
   * Live samples by the task that allocated them.
   *
   * @param groups names of the tasks' thread groups
   * @return counts by name, and those of nobody asked for under {@link #OTHERS}; 0 is absent. It
   *     fails with an IOException if the JVM cannot write them to a temporary file.
   */
  @Override
  public Future<Map<String, Long>> of(Collection<String> groups) {
    return reader.submit(() -> read(groups));
  }

  private Map<String, Long> read(Collection<String> groups) throws IOException {
    Path file = Files.createTempFile("heap", ".jfr");
    try {
      recording.dump(file);
      Map<String, Long> counts = new HashMap<>();
      try (RecordingFile events = new RecordingFile(file)) {
        while (events.hasMoreEvents()) {
          RecordedEvent event = events.readEvent();
          if (event.getEventType().getName().equals(EVENT)) {
            counts.merge(owner(event.getThread(), groups), 1L, Long::sum);
          }
        }
      }
      return counts;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static String owner(RecordedThread thread, Collection<String> groups) {
    RecordedThreadGroup group = thread == null ? null : thread.getThreadGroup();
    while (group != null && !groups.contains(group.getName())) {
      group = group.getParent();
    }
    return group == null ? OTHERS : group.getName();
  }

  @Override
  public void close() {
    reader.shutdownNow();
    recording.close();
  }
}
