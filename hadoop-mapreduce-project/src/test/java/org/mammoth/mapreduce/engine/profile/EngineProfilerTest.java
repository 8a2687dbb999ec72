// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the JVM's own flight recorder: what runs and what allocates is found by its name. */
class EngineProfilerTest {

  @TempDir Path folder;

  private final AtomicBoolean over = new AtomicBoolean();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private volatile long kept;
  private volatile Object made;

  @AfterEach
  void end() {
    over.set(true);
    timer.shutdownNow();
  }

  private JsonNode ask(EngineProfiler profiler, int seconds) throws IOException {
    return new ObjectMapper().readTree(profiler.profile(seconds));
  }

  private void computesAndAllocates() {
    long sum = 1;
    while (!over.get()) {
      for (int i = 0; i < 10_000; i++) {
        sum = sum * 6364136223846793005L + 1442695040888963407L;
      }
      kept = sum;
      made = new byte[4096];
    }
  }

  private static boolean names(JsonNode stacks, String text) {
    for (Iterator<String> i = stacks.fieldNames(); i.hasNext(); ) {
      if (i.next().contains(text)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aRecordingTellsWhichMethodsRunAndAllocateInWhichThread() throws Exception {
    EngineProfiler profiler = new EngineProfiler(folder, Clock.systemUTC(), timer);
    assertThat(ask(profiler, 0).path("state").asText()).isEqualTo("none");
    Thread busy = new Thread(this::computesAndAllocates, "worker-17");
    busy.start();
    try {
      JsonNode begun = ask(profiler, 2);
      assertThat(begun.path("state").asText()).isEqualTo("running");
      // A second order while one runs is the same one.
      assertThat(ask(profiler, 60).path("remainingMs").asLong()).isLessThanOrEqualTo(2000);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> ask(profiler, 0).path("state").asText().equals("done"));
    } finally {
      over.set(true);
      busy.join();
    }
    JsonNode done = ask(profiler, 0);
    assertThat(done.path("seconds").asInt()).isEqualTo(2);
    String method = EngineProfilerTest.class.getName() + ".computesAndAllocates";
    assertThat(names(done.path("cpu"), "worker-…;")).isTrue();
    assertThat(names(done.path("cpu"), method)).isTrue();
    assertThat(names(done.path("allocation"), method)).isTrue();
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
    assertThat(kept).isNotZero();
    assertThat(made).isNotNull();
  }

  /** As in an engine, which samples live objects in memory from its start. */
  @Test
  void takesItsTimeBesideARecordingThatBeganLongBefore() throws Exception {
    try (Recording older = new Recording()) {
      older.setToDisk(false);
      older.enable("jdk.OldObjectSample");
      older.start();
      await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
      EngineProfiler profiler = new EngineProfiler(folder, Clock.systemUTC(), timer);
      Thread busy = new Thread(this::computesAndAllocates, "worker-18");
      busy.start();
      ask(profiler, 3);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> ask(profiler, 0).path("state").asText().equals("done"));
      over.set(true);
      busy.join();
      assertThat(names(ask(profiler, 0).path("cpu"), "computesAndAllocates")).isTrue();
    }
  }

  @Test
  void refusesWhatIsTooLong() {
    EngineProfiler profiler = new EngineProfiler(folder, Clock.systemUTC(), timer);
    assertThatThrownBy(() -> profiler.profile(61)).hasMessageContaining("1 to 60 s");
    assertThatThrownBy(() -> profiler.profile(-1)).hasMessageContaining("1 to 60 s");
  }
}
