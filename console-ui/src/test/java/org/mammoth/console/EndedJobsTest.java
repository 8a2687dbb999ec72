// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/**
 * A job that has ended keeps its counts and the most it held; what nobody knows is said to be so.
 */
class EndedJobsTest {

  private static final String SECOND = "job_1700000000000_0002";

  @TempDir Path dir;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private JsonNode get(Console console, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + console.port() + "/api/v1/" + path);
    return json.readTree(
        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
            .body());
  }

  private JsonNode row(Console console, String id) throws Exception {
    for (JsonNode row : get(console, "jobs").path("jobs")) {
      if (row.path("job").path("id").asText().equals(id)) {
        return row;
      }
    }
    return json.missingNode();
  }

  private String merge(Console console, String task) throws Exception {
    for (JsonNode one : get(console, "jobs/" + SECOND).path("tasks")) {
      if (one.path("id").asText().equals(task)) {
        return one.path("merge").asText("null");
      }
    }
    return "no such task";
  }

  private static JsonNode peak(JsonNode past, String column) {
    return past.path("peaks").path(JobUse.COLUMNS.indexOf(column));
  }

  @Test
  void countsAndPeaksOutliveTheJobAndTheConsole() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(2, Clock.systemUTC())) {
      long from = System.currentTimeMillis();
      JsonNode told;
      try (Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        String series =
            "series?key=job%7C" + SECOND + "&from=" + from + "&to=" + Long.MAX_VALUE / 4096;
        await()
            .atMost(Duration.ofSeconds(40))
            .until(() -> get(console, series).path("times").size() >= 4);
        assertThat(row(console, SECOND).path("past").isNull()).as("it runs").isTrue();
        assertThat(peak(get(console, "jobs/" + SECOND).path("past"), "total").asLong())
            .as("so far")
            .isPositive();
        // In a second in which no node has answered nobody knows what it holds.
        await()
            .atMost(Duration.ofSeconds(40))
            .untilAsserted(
                () -> {
                  JsonNode most = get(console, "jobs?sort=-total&limit=1").path("jobs").path(0);
                  assertThat(most.path("job").path("finishedMs").asLong(-1))
                      .as("what runs goes by what it holds now")
                      .isZero();
                });
        String reduce = "task_1700000000000_0002_r_000000";
        assertThat(merge(console, reduce)).isEqualTo("auto: levitated");
        assertThat(merge(console, "task_1700000000000_0002_r_000001"))
            .as("an engine of an earlier release does not tell")
            .isEmpty();
        cluster.endSecondJob();
        await()
            .atMost(Duration.ofSeconds(40))
            .untilAsserted(
                () -> {
                  JsonNode job = row(console, SECOND).path("job");
                  assertThat(job.path("finishedMs").asLong()).isPositive();
                  assertThat(job.path("tasks").path("maps").asLong()).isEqualTo(402);
                  assertThat(job.path("tasks").path("reducesDone").asLong()).isEqualTo(8);
                });
        assertThat(merge(console, reduce)).as("as it was seen").isEqualTo("auto: levitated");
        told = row(console, SECOND).path("past");
        long peak = 0;
        JsonNode recorded = get(console, series).path("values");
        for (JsonNode value : recorded.path(JobUse.COLUMNS.indexOf("total"))) {
          peak = Math.max(peak, value.asLong());
        }
        assertThat(peak(told, "total").asLong()).isEqualTo(peak).isPositive();
        assertThat(peak(told, "reduces").asLong()).as("both ran at once").isEqualTo(2);
        assertThat(told.path("untold").asText()).isEmpty();
        assertThat(told.path("fromMs").asLong()).isGreaterThanOrEqualTo(from - 1000);
        assertThat(get(console, "jobs/" + SECOND).path("past")).isEqualTo(told);

        JsonNode before = row(console, "job_1700000000000_0005");
        assertThat(before.path("job").path("tasks").isNull()).as("nobody tells").isTrue();
        assertThat(peak(before.path("past"), "sort").isNull()).isTrue();
        assertThat(before.path("past").path("untold").asText()).contains("nothing was recorded");
      }
      try (Console again = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        await()
            .atMost(Duration.ofSeconds(40))
            .untilAsserted(
                () -> {
                  assertThat(row(again, SECOND).path("past")).isEqualTo(told);
                  assertThat(row(again, SECOND).path("job").path("tasks").path("maps").asLong())
                      .isEqualTo(402);
                });
      }
    }
  }

  /** Whatever else is asked for: the jobs of a line of what needs attention are found among all. */
  @Test
  void theJobsOfWhatNeedsAttentionAreFoundAmongAll() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(2, Clock.systemUTC());
        Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
      cluster.failSecondJob();
      String cause =
          await()
              .atMost(Duration.ofSeconds(40))
              .until(() -> causeOf(console, SECOND), found -> !found.isEmpty());
      String only = "jobs?limit=1&sort=name&cause=" + cause;
      JsonNode found = get(console, only);
      assertThat(found.path("matches").asInt()).isEqualTo(1);
      assertThat(found.path("jobs").path(0).path("job").path("id").asText()).isEqualTo(SECOND);
      assertThat(get(console, only + "&from=1&to=2").path("matches").asInt())
          .as("of any time")
          .isEqualTo(1);
      assertThat(get(console, "jobs?limit=1&sort=name").path("matches").asInt()).isEqualTo(5);
      assertThat(get(console, "jobs?cause=gone").path("matches").asInt()).isZero();
    }
  }

  /** A failed job needs attention by whatever clock it ended. */
  @Test
  void aResourceManagerWhoseClockIsBehindHidesNoFailure() throws Exception {
    Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofHours(-2));
    try (SimulatedCluster cluster = new SimulatedCluster(2, behind);
        Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
      await()
          .atMost(Duration.ofSeconds(40))
          .until(() -> row(console, SECOND).path("job").path("finishedMs").asLong(-1) == 0);
      cluster.failSecondJob();
      await().atMost(Duration.ofSeconds(40)).until(() -> !causeOf(console, SECOND).isEmpty());
    }
  }

  private String causeOf(Console console, String job) throws Exception {
    for (JsonNode item : get(console, "overview").path("attention")) {
      if (item.path("subject").asText().equals(job)) {
        return item.path("cause").asText();
      }
    }
    return "";
  }
}
