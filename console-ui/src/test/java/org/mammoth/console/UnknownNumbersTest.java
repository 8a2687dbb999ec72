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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;
import org.mammoth.console.sim.SimulatedCluster.Ailment;

/** What nobody tells is null in every answer, and of what a sum is without is counted. */
class UnknownNumbersTest {

  @TempDir Path dir;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private String text(Console console, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + console.port() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private JsonNode get(Console console, String path) throws Exception {
    return json.readTree(text(console, path));
  }

  private static JsonNode column(JsonNode values, String name) {
    return values.path(NodeRow.column(name));
  }

  private JsonNode total(Console console, String name) throws Exception {
    return column(get(console, "/api/v1/overview").path("totals"), name);
  }

  private JsonNode row(Console console, String id, String name) throws Exception {
    for (JsonNode node : get(console, "/api/v1/nodes").path("nodes")) {
      if (node.path("id").asText().equals(id)) {
        return column(node.path("values"), name);
      }
    }
    return json.missingNode();
  }

  private static void within30s(org.awaitility.core.ThrowingRunnable look) {
    await().atMost(Duration.ofSeconds(30)).untilAsserted(look);
  }

  /**
   * As after a start: the ResourceManager tells of nodes before the NameNode tells of DataNodes.
   */
  @Test
  void ssdSpaceIsUnknownUntilADataNodeHasToldIt() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(3, Clock.systemUTC())) {
      cluster.nameNodeDown(true);
      long from = System.currentTimeMillis();
      try (Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        within30s(() -> assertThat(total(console, "nodes").asLong()).isEqualTo(3));
        assertThat(total(console, "used").asLong()).isPositive();
        assertThat(total(console, "cacheTotal").isNull()).as("SSD space").isTrue();
        assertThat(total(console, "cacheHits").isNull()).isTrue();
        assertThat(total(console, "cacheUntold").asLong()).isEqualTo(3);
        within30s(() -> assertThat(history(console, "cacheTotal", from)).hasSizeGreaterThan(1));
        assertThat(history(console, "cacheTotal", from)).as("no zero").allMatch(JsonNode::isNull);

        cluster.nameNodeDown(false);
        within30s(() -> assertThat(total(console, "cacheUntold").asLong()).isZero());
        assertThat(total(console, "cacheTotal").asLong()).isEqualTo(3 * (12L << 30));
      }
    }
  }

  private List<JsonNode> history(Console console, String name, long from) throws Exception {
    String span = "&from=" + from + "&to=" + (System.currentTimeMillis() + 60_000);
    List<JsonNode> values = new ArrayList<>();
    column(get(console, "/api/v1/series?key=cluster" + span).path("values"), name)
        .forEach(values::add);
    return values;
  }

  @Test
  void aNodeThatDoesNotTellIsNotZeroAndIsCounted() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(6, Clock.systemUTC())) {
      cluster.ail(0, Ailment.BREAKS);
      cluster.ail(1, Ailment.CACHE_BREAKS);
      cluster.ail(2, Ailment.CACHE_STARTS);
      cluster.ail(3, Ailment.ENGINE_STARTS);
      cluster.ail(4, Ailment.STOCK);
      try (Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        within30s(
            () -> {
              assertThat(total(console, "nodes").asLong()).isEqualTo(5);
              assertThat(total(console, "enginesUntold").asLong()).as("0 and 3").isEqualTo(2);
              assertThat(total(console, "cacheUntold").asLong()).as("0, 1 and 2").isEqualTo(3);
            });
        assertThat(row(console, cluster.id(0), "used").isNull()).isTrue();
        assertThat(row(console, cluster.id(1), "used").asLong()).isPositive();
        assertThat(row(console, cluster.id(1), "cacheTotal").isNull()).isTrue();
        assertThat(row(console, cluster.id(3), "engines").asLong()).isEqualTo(1);
        assertThat(row(console, cluster.id(3), "cap").isNull()).isTrue();
        assertThat(row(console, cluster.id(4), "cap").isNull()).as("stock has none").isTrue();
        assertThat(total(console, "cap").asLong()).isEqualTo(3 * (2560L << 20));
        assertThat(total(console, "cacheTotal").asLong()).isEqualTo(3 * (12L << 30));

        JsonNode queues = get(console, "/api/v1/queues").path("silent");
        assertThat(queues.findValuesAsText("node")).containsExactly(cluster.id(0), cluster.id(3));
        JsonNode slaves = get(console, "/api/v1/cache").path("slaves");
        assertThat(slaves).hasSize(6);
        assertThat(slaves.path(1).path("cache").isNull()).isTrue();
        assertThat(slaves.path(1).path("untold").asText()).contains("closed the connection");
        assertThat(slaves.path(2).path("untold").asText()).contains("does not tell its space");
        assertThat(text(console, "/metrics"))
            .contains("mammoth_node_cache_capacity_bytes{node=\"" + cluster.id(5))
            .doesNotContain("mammoth_node_cache_capacity_bytes{node=\"" + cluster.id(1));
      }
    }
  }

  @Test
  void aNodeManagerThatFailsDoesNotHideTheSsdCacheOfItsNode() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(2, Clock.systemUTC())) {
      cluster.ail(0, Ailment.ENGINES_BREAK);
      long from = System.currentTimeMillis();
      try (Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
        within30s(
            () -> {
              assertThat(total(console, "enginesUntold").asLong()).isEqualTo(1);
              assertThat(total(console, "cacheUntold").asLong()).isZero();
              assertThat(total(console, "cacheTotal").asLong()).isEqualTo(2 * (12L << 30));
            });
        assertThat(row(console, cluster.id(0), "used").isNull()).isTrue();
        assertThat(row(console, cluster.id(0), "cacheTotal").asLong()).isEqualTo(12L << 30);
        assertThat(get(console, "/api/v1/overview").path("attention").toString())
            .contains("closed the connection")
            .doesNotContain("its SSD cache is not known");
        within30s(
            () ->
                assertThat(history(console, "cacheTotal", from))
                    .as("what both together have, recorded")
                    .anyMatch(sum -> sum.asLong() == 2 * (12L << 30)));
      }
    }
  }

  @Test
  void whatAJobThatHasEndedHeldIsNotZero() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(1, Clock.systemUTC());
        Console console = ConsoleUnderTest.start(cluster, dir, conf -> {})) {
      within30s(
          () -> {
            JsonNode jobs = get(console, "/api/v1/jobs").path("jobs");
            assertThat(jobs).hasSize(5);
            for (JsonNode row : jobs) {
              boolean ended = row.path("job").path("finishedMs").asLong() > 0;
              assertThat(row.path("use").path(0).isNull()).as(row.toString()).isEqualTo(ended);
            }
          });
    }
  }
}
