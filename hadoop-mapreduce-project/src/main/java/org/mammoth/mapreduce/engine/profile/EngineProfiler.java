// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.profile;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;

/**
 * Samples for some seconds what the engine's threads run and what they allocate, with the JVM's
 * flight recorder. Nobody waits for it: a call begins a recording or says how far it is, and a
 * later one has the stacks. Until then what was recorded, some megabytes, is among the engine's
 * temporary files. Any thread.
 */
public final class EngineProfiler {

  private static final Duration PERIOD = Duration.ofMillis(10);
  private static final String RUNS = "jdk.ExecutionSample";
  private static final String ALLOCATES = "jdk.ObjectAllocationSample";

  private final Path folder;
  private final Clock clock;
  private final ScheduledExecutorService timer;
  private final ObjectMapper json = new ObjectMapper();
  private Recording recording;
  private long startedMs;
  private int seconds;
  private String last = "";

  /**
   * @param folder where a recording is written for the moment in which it is read
   * @param timer ends recordings
   */
  public EngineProfiler(Path folder, Clock clock, ScheduledExecutorService timer) {
    this.folder = folder;
    this.clock = clock;
    this.timer = timer;
  }

  /**
   * Begins a recording if none runs, or tells of the one there is.
   *
   * @param wanted its length, 1 to {@link NodeAdminProtocol#MOST_PROFILE_SECONDS} s; 0 to begin
   *     none
   * @return JSON: {@code state} is "none", "running" with {@code remainingMs}, or "done" with
   *     {@code startedMs}, {@code seconds}, {@code periodMs}, and by stack, outermost frame first,
   *     {@code cpu}: samples, and {@code allocation}: bytes
   * @throws IOException if it is too long, this JVM has no flight recorder, or the recording cannot
   *     be read
   */
  public synchronized String profile(int wanted) throws IOException {
    if (wanted < 0 || wanted > NodeAdminProtocol.MOST_PROFILE_SECONDS) {
      throw new IOException(
          "a profile takes 1 to " + NodeAdminProtocol.MOST_PROFILE_SECONDS + " s, not " + wanted);
    }
    try {
      return recorded(wanted);
    } catch (LinkageError | IllegalStateException e) {
      throw new IOException(
          "the engine's Java has no flight recorder, or cannot start it"
              + " (mammoth.engine.java-home; its module jdk.jfr): "
              + e,
          e);
    }
  }

  private String recorded(int wanted) throws IOException {
    if (recording == null && wanted > 0) {
      begin(wanted);
    }
    if (recording != null && recording.getState() == RecordingState.STOPPED) {
      try {
        last = stacks();
      } finally {
        recording.close();
        recording = null;
      }
    }
    if (recording != null) {
      long remaining = startedMs + 1000L * seconds - clock.millis();
      return state("running").put("remainingMs", Math.max(0, remaining)).toString();
    }
    return last.isEmpty() ? state("none").toString() : last;
  }

  private ObjectNode state(String state) {
    return json.createObjectNode().put("state", state);
  }

  private void begin(int wanted) {
    Recording begun = new Recording();
    begun.setName("Mammoth");
    begun.enable(RUNS).withPeriod(PERIOD).withStackTrace();
    begun.enable(ALLOCATES).withStackTrace();
    begun.start();
    // Not by a duration of its own: that counts from the beginning of the recorder's chunk, which
    // is as old as the engine where live objects are sampled.
    timer.schedule(begun::stop, wanted, TimeUnit.SECONDS);
    recording = begun;
    startedMs = clock.millis();
    seconds = wanted;
    last = "";
  }

  private String stacks() throws IOException {
    StackCounts cpu = new StackCounts();
    StackCounts allocation = new StackCounts();
    Path file = Files.createTempFile(folder, "profile", ".jfr");
    try {
      recording.dump(file);
      try (RecordingFile events = new RecordingFile(file)) {
        while (events.hasMoreEvents()) {
          RecordedEvent event = events.readEvent();
          if (event.getEventType().getName().equals(RUNS)) {
            cpu.add(event.getThread("sampledThread"), event.getStackTrace(), 1);
          } else if (event.getEventType().getName().equals(ALLOCATES)) {
            allocation.add(event.getThread(), event.getStackTrace(), event.getLong("weight"));
          }
        }
      }
    } finally {
      Files.deleteIfExists(file);
    }
    ObjectNode done = state("done");
    done.put("startedMs", startedMs).put("seconds", seconds).put("periodMs", PERIOD.toMillis());
    done.set("cpu", json.valueToTree(cpu.largest()));
    done.set("allocation", json.valueToTree(allocation.largest()));
    return done.toString();
  }
}
