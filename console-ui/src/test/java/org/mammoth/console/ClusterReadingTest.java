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
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;
import org.mammoth.console.sim.SimulatedCluster.Ailment;

/** A whole console before a cluster in which much is wrong. */
class ClusterReadingTest {

  @TempDir Path dir;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private JsonNode get(Console console, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + console.port() + path);
    return json.readTree(
        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
            .body());
  }

  private Map<String, String> reach(Console console) throws Exception {
    Map<String, String> reach = new HashMap<>();
    for (JsonNode node : get(console, "/api/v1/nodes").path("nodes")) {
      reach.put(node.path("id").asText(), node.path("reach").asText());
    }
    return reach;
  }

  @Test
  void everyAilmentIsNamedAndHarmsNobodyElse() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(12, Clock.systemUTC())) {
      cluster.ail(0, Ailment.HANGS);
      cluster.ail(1, Ailment.BREAKS);
      cluster.ail(2, Ailment.LATER);
      cluster.ail(3, Ailment.REFUSES);
      cluster.ail(4, Ailment.GARBLES);
      cluster.ail(6, Ailment.BREAKS);
      try (Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(
                () ->
                    assertThat(reach(console))
                        .containsEntry(cluster.id(0), "SLOW")
                        .containsEntry(cluster.id(1), "GONE")
                        .containsEntry(cluster.id(2), "FOREIGN")
                        .containsEntry(cluster.id(3), "REFUSED")
                        .containsEntry(cluster.id(4), "FOREIGN")
                        .containsEntry(cluster.id(5), "OK")
                        .containsEntry(cluster.id(6), "GONE")
                        .containsEntry(cluster.id(11), "OK"));
        assertThat(get(console, "/api/v1/overview").path("attention").toString())
            .contains("Slow: no answer in time")
            .contains("upgrade the console");
        JsonNode worst = get(console, "/api/v1/overview").path("attention").path(0);
        assertThat(worst.path("count").asLong()).isEqualTo(2);
        JsonNode cause = get(console, "/api/v1/attention/" + worst.path("cause").asText());
        assertThat(cause.path("item").path("text")).isEqualTo(worst.path("text"));
        assertThat(cause.path("subjects").toString())
            .as("all it is about, whatever the list has room for")
            .isEqualTo("[\"" + cluster.id(1) + "\",\"" + cluster.id(6) + "\"]");
        assertThat(get(console, "/api/v1/attention/none").path("error").asText())
            .contains("nothing of this kind");
        cluster.heal(0);
        cluster.heal(1);
        cluster.heal(6);
        cluster.ail(11, Ailment.BREAKS);
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(
                () ->
                    assertThat(reach(console))
                        .containsEntry(cluster.id(0), "OK")
                        .containsEntry(cluster.id(1), "OK")
                        .containsEntry(cluster.id(11), "GONE"));
      }
      assertThat(cluster.foreignMethods()).as("nothing but GET is ever sent").isEmpty();
    }
  }

  @Test
  void numbersAreTheEnginesOwnAndHistorySurvivesARestart() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(3, Clock.systemUTC())) {
      long from = System.currentTimeMillis();
      try (Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> get(console, series("cluster", from)).path("times").size() >= 4);
        JsonNode node = get(console, "/api/v1/nodes/" + cluster.id(1)).path("node");
        long second = cluster.second(node.path("sample").path("atMs").asLong());
        JsonNode kinds = node.path("sample").path("engines").path(0).path("memory").path("byKind");
        long[] held = cluster.node(1).held(second);
        assertThat(kinds.path("SORT").asLong()).isEqualTo(held[0]);
        assertThat(kinds.path("RECEIVE").asLong()).isEqualTo(held[2]);
        JsonNode decisions =
            get(console, "/api/v1/decisions?node=" + cluster.id(1) + "&from=0&to=" + far());
        assertThat(decisions.path("decisions").size()).isGreaterThan(5);
      }
      try (Console again = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        JsonNode series = get(again, series("node|" + cluster.id(2), from));
        assertThat(series.path("times").size()).isGreaterThanOrEqualTo(3);
      }
    }
  }

  @Test
  void theActiveResourceManagerIsAskedAndOneThatStandsByIsNoProblem() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(2, Clock.systemUTC());
        Console console =
            ConsoleUnderTest.start(
                cluster,
                dir,
                conf ->
                    conf.set(
                        ConsoleKeys.RESOURCEMANAGERS.name(),
                        cluster.standby() + "," + cluster.active()))) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> get(console, "/api/v1/overview").path("jobs").size() == 2);
      JsonNode overview = get(console, "/api/v1/overview");
      assertThat(overview.path("masters").path(cluster.standby()).asText("-")).isEmpty();
      assertThat(overview.path("attention").toString()).doesNotContain(cluster.standby());
      assertThat(get(console, "/api/v1/about").path("resourceManager").asText())
          .isEqualTo(cluster.active());
      assertThat(get(console, "/api/v1/jobs/job_1700000000000_0001").path("tasksFrom").asText())
          .as("a running job's tasks are had from the active one's proxy")
          .isEqualTo("job");

      cluster.noneActive(true);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(get(console, "/api/v1/overview").path("masters").toString())
                      .contains("stands by, and no other is active"));
      // Dead masters are named first, whatever else is wrong.
      cluster.ail(0, Ailment.BREAKS);
      cluster.mastersDown(true);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                JsonNode attention = get(console, "/api/v1/overview").path("attention");
                assertThat(attention).hasSizeGreaterThanOrEqualTo(4);
                assertThat(attention.path(0).path("subject").asText()).startsWith("http://");
                assertThat(attention.path(2).path("subject").asText()).startsWith("http://");
                assertThat(attention.path(3).path("subject").asText()).isEqualTo(cluster.id(0));
              });
    }
  }

  /** A clock that is set back, or a month ahead, leaves no second out and says so. */
  @Test
  void aClockThatJumpsStopsNothing() throws Exception {
    AtomicLong off = new AtomicLong();
    Clock wall = Clock.tick(Clock.systemUTC(), Duration.ofMillis(1));
    Clock jumping =
        new Clock() {
          @Override
          public Instant instant() {
            return wall.instant().plusMillis(off.get());
          }

          @Override
          public ZoneId getZone() {
            return wall.getZone();
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }
        };
    try (SimulatedCluster cluster = new SimulatedCluster(2, Clock.systemUTC())) {
      long from = System.currentTimeMillis();
      try (Console console = new Console(ConsoleUnderTest.configuration(cluster, dir), jumping)) {
        console.start();
        for (long jump : new long[] {0, 40 * 86_400_000L, -3_600_000L}) {
          off.set(jump);
          int seen = get(console, series("cluster", from)).path("times").size();
          await()
              .atMost(Duration.ofSeconds(30))
              .until(() -> get(console, series("cluster", from)).path("times").size() >= seen + 3);
          assertThat(get(console, "/api/v1/overview").path("trouble").asText())
              .contains(jump == 0 ? "" : jump > 0 ? "forward by 40 days" : "was set back by 3");
        }
      }
    }
  }

  private static long far() {
    return System.currentTimeMillis() + 60_000;
  }

  private static String series(String key, long from) {
    return "/api/v1/series?key=" + key.replace("|", "%7C") + "&from=" + from + "&to=" + far();
  }
}
