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
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.jobs.JobSearch;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;
import org.mammoth.console.sim.SimulatedPast;

/** Jobs that daemons have forgotten are found, compared and summed, each user's by their rights. */
class MonthOfJobsTest {

  private static final int PAST = 42;
  private static final String NIGHTLY = "job_1700000000000_1000";
  private static final String ON_STOCK = "job_1700000000000_1035";
  private static final String FAILED = "job_1700000000000_1005";

  @TempDir Path dir;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private HttpResponse<String> send(Console console, String path, String user) throws Exception {
    String who = (path.contains("?") ? "&" : "?") + "user.name=" + user;
    URI uri = URI.create("http://127.0.0.1:" + console.port() + "/api/v1/" + path + who);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode get(Console console, String path, String user) throws Exception {
    HttpResponse<String> answer = send(console, path, user);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json.readTree(answer.body());
  }

  private void untilAllAreKept(Console console) {
    await()
        .atMost(Duration.ofSeconds(300))
        .untilAsserted(
            () -> {
              JsonNode found = get(console, "jobs?from=0", "root");
              assertThat(found.path("ever").asInt()).isEqualTo(PAST + 5);
              // The ResourceManager does not tell the tasks of those it lists; what is kept does.
              assertThat(found.path("jobs"))
                  .filteredOn(row -> row.path("job").path("id").asText().matches(".*_[1-9]\\d{3}"))
                  .hasSize(PAST)
                  .noneMatch(row -> row.path("job").path("tasks").isNull());
            });
  }

  @Test
  void whatDaemonsHaveForgottenTheConsoleKeeps() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(3, Clock.systemUTC())) {
      SimulatedPast past = cluster.past(PAST);
      try (Console console = start(cluster)) {
        untilAllAreKept(console);
        failure(console);
        searched(console);
      }
      past.forget();
      try (Console console = start(cluster)) {
        untilAllAreKept(console);
        found(console);
        oneJob(console);
        compared(console);
        saved(console);
        rights(console);
      }
    }
  }

  private Console start(SimulatedCluster cluster) throws Exception {
    return ConsoleUnderTest.start(
        cluster, dir, conf -> conf.set(ConsoleKeys.ACL_VIEW.name(), "root"));
  }

  private void failure(Console console) throws Exception {
    JsonNode failure = get(console, "jobs/" + FAILED + "/failure", "erin");
    assertThat(failure.path("diagnostics").asText()).startsWith("Task failed task_");
    assertThat(failure.path("failed").asInt()).isEqualTo(6);
    assertThat(failure.path("attempts")).hasSize(4);
    JsonNode gone = failure.path("attempts").path(0);
    assertThat(gone.path("id").asText()).endsWith("_1005_m_000007_3");
    assertThat(gone.path("logs").path(0).path("from").asText()).isEqualTo("history server");
    JsonNode here = failure.path("attempts").path(2);
    assertThat(here.path("logs")).as("an empty stderr is left out").hasSize(1);
    assertThat(here.path("logs").path(0).path("from").asText()).isEqualTo("NodeManager");
    assertThat(here.path("logs").path(0).path("text").asText())
        .startsWith("2026-11-28")
        .endsWith("not 4");
    assertThat(here.path("diagnostics").asText()).contains("IllegalStateException");
  }

  private void searched(Console console) throws Exception {
    JsonNode found = get(console, "jobs/" + FAILED + "/logs?find=ROW+41", "erin");
    assertThat(found.path("lines").path(0).path("attempt").asText())
        .isEqualTo("ApplicationMaster 1");
    assertThat(found.path("lines").path(1).path("attempt").asText())
        .as("tasks that failed come first")
        .endsWith("_m_000007_0");
    assertThat(found.path("lines"))
        .allSatisfy(line -> assertThat(line.path("text").asText()).contains("row 41"));
    assertThat(found.path("attempts").asInt()).isBetween(200, 212);
    assertThat(found.path("cut").asText()).isEqualTo("200 attempts are looked at");
    assertThat(found.path("searched").asInt()).isLessThan(found.path("tasks").asInt());
    assertThat(get(console, "jobs/" + FAILED + "/logs?find=nowhere", "erin").path("lines"))
        .isEmpty();
    JsonNode stdout = get(console, "jobs/" + FAILED + "/logs?find=x&file=stdout", "erin");
    assertThat(stdout.path("unread").asInt()).isEqualTo(stdout.path("attempts").asInt());
    assertThat(stdout.path("unreadWhy").asText()).contains("NodeManager", "history server");
    String path = "jobs/" + FAILED + "/logs";
    assertThat(send(console, path + "?find=x&file=core", "erin").statusCode()).isEqualTo(400);
    assertThat(send(console, path, "erin").statusCode()).isEqualTo(400);
    assertThat(send(console, path + "?find=x", "carol").statusCode()).isEqualTo(403);
  }

  private void found(Console console) throws Exception {
    JsonNode all = get(console, "jobs?from=0&name=NIGHTLY&user=carol&queue=etl", "root");
    assertThat(all.path("matches").asInt()).isEqualTo(6);
    Set<String> pages = new HashSet<>();
    for (int offset = 0; offset < 6; offset += 2) {
      JsonNode page =
          get(console, "jobs?from=0&name=nightly&sort=-took&limit=2&offset=" + offset, "root");
      page.path("jobs").forEach(row -> pages.add(row.path("job").path("id").asText()));
    }
    assertThat(pages).as("each once").hasSize(6);
    assertThat(get(console, "jobs", "root").path("matches").asInt())
        .as("of the last day only")
        .isBetween(6, 20);
    assertThat(get(console, "jobs?from=0&state=FAILED", "root").path("matches").asInt())
        .isEqualTo(6);
    for (String column : JobSearch.orders()) {
      assertThat(get(console, "jobs?from=0&limit=3&sort=-" + column, "root").path("jobs"))
          .as(column)
          .hasSize(3);
    }
    assertThat(send(console, "jobs?sort=colour", "root").statusCode()).isEqualTo(400);
    assertThat(send(console, "jobs?limit=5000", "root").statusCode()).isEqualTo(400);
  }

  private void oneJob(Console console) throws Exception {
    JsonNode job = get(console, "jobs/" + NIGHTLY, "carol");
    assertThat(job.path("kept").path("run").asText()).isEqualTo("engine");
    assertThat(job.path("counters").size()).isGreaterThan(5);
    assertThat(job.path("reduceInput").path("memoryBytes").asLong()).isPositive();
    assertThat(job.path("job").path("tasks").path("maps").asInt()).isEqualTo(320);
    assertThat(get(console, "jobs/" + NIGHTLY + "/earlier", "carol").path("runs")).hasSize(6);
    JsonNode failure = get(console, "jobs/" + FAILED + "/failure", "erin");
    assertThat(failure.path("untold").asText()).contains("does not tell of its attempts");
    assertThat(failure.path("diagnostics").asText()).as("kept").startsWith("Task failed task_");
    assertThat(send(console, "jobs/job_1_0001", "root").body())
        .contains("mammoth.console.jobs.days");
  }

  private void compared(Console console) throws Exception {
    JsonNode both = get(console, "jobs/compare?a=" + ON_STOCK + "&b=" + NIGHTLY, "carol");
    assertThat(both.path("a").path("run").asText()).isEqualTo("stock");
    assertThat(both.path("b").path("run").asText()).isEqualTo("engine");
    JsonNode took = both.path("pairs").path(0);
    assertThat(took.path("name").asText()).isEqualTo("took ms");
    assertThat(took.path("ratio").asDouble())
        .isEqualTo(took.path("b").asDouble() / took.path("a").asDouble())
        .isBetween(0.5, 0.7);
    for (JsonNode pair : both.path("pairs")) {
      if (pair.path("name").asText().equals("MEMORY_BYTES")) {
        assertThat(pair.path("a").isNull()).as("stock has no such counter").isTrue();
        assertThat(pair.path("ratio").isNull()).isTrue();
      }
    }
  }

  private void saved(Console console) throws Exception {
    JsonNode all = get(console, "saved", "root");
    JsonNode sum = all.path("saved").path("all");
    assertThat(sum.path("measured").asInt()).as("nightly reports and sessions").isEqualTo(7);
    assertThat(sum.path("estimated").asInt()).as("joins and imports").isEqualTo(12);
    assertThat(all.path("saved").path("time").path("pairs").asInt()).isEqualTo(2);
    assertThat(all.path("saved").path("stockRuns").asInt()).isEqualTo(5 + 6);
    assertThat(all.path("fallbacks").path(0).path("tasks").asInt()).isEqualTo(6 * (352 + 24));
    assertThat(get(console, "saved?from=1&to=2", "root").path("saved").path("jobs")).isEmpty();
  }

  private void rights(Console console) throws Exception {
    JsonNode own = get(console, "jobs?from=0", "carol");
    assertThat(own.path("matches").asInt()).isEqualTo(12);
    assertThat(own.path("users")).hasSize(1);
    assertThat(own.path("ever").asInt()).as("not how many others have").isEqualTo(12);
    for (String path :
        new String[] {
          "jobs/" + FAILED,
          "jobs/" + FAILED + "/failure",
          "jobs/" + FAILED + "/earlier",
          "jobs/compare?a=" + NIGHTLY + "&b=" + FAILED,
          "jobs/compare?a=" + FAILED + "&b=" + NIGHTLY
        }) {
      assertThat(send(console, path, "carol").statusCode()).as(path).isEqualTo(403);
    }
    String series = "series?from=0&to=1&key=job%7C";
    assertThat(send(console, series + NIGHTLY, "carol").statusCode()).isEqualTo(200);
    assertThat(send(console, series + FAILED, "carol").statusCode()).isEqualTo(403);
    JsonNode saved = get(console, "saved", "bob");
    saved
        .path("saved")
        .path("jobs")
        .forEach(job -> assertThat(job.path("user").asText()).isEqualTo("bob"));
    assertThat(saved.path("saved").path("jobs").size()).isPositive();
    assertThat(saved.path("fallbacks")).isEmpty();
    assertThat(saved.path("saved").path("unknownRuns").asInt()).isZero();
  }
}
