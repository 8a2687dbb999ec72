// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.web.PrometheusNames.Metric;

/** Names as Prometheus' own rules want them, for every column, and a dashboard that uses them. */
class PrometheusNamesTest {

  private static final Path DASHBOARD = Path.of("..", "docs", "console", "grafana-dashboard.json");

  @Test
  void everyColumnIsShownOnce() {
    List<String> columns =
        PrometheusNames.metrics().values().stream()
            .flatMap(List::stream)
            .map(PrometheusNames.Source::column)
            .toList();
    assertThat(columns).containsExactlyInAnyOrderElementsOf(NodeRow.COLUMNS);
  }

  @Test
  void namesHaveTheirUnitsAndTypes() {
    assertThat(PrometheusNames.metrics().keySet())
        .allSatisfy(
            metric -> {
              assertThat(metric.name()).matches("mammoth_node_[a-z_]+");
              assertThat(metric.name().endsWith("_total"))
                  .isEqualTo(metric.type().equals("counter"));
              assertThat(metric.help()).isNotBlank().doesNotContain("\n");
            })
        .extracting(Metric::name)
        .doesNotHaveDuplicates();
  }

  private static void expressions(JsonNode node, List<String> to) {
    if (node.has("expr")) {
      to.add(node.path("expr").asText());
    }
    node.forEach(child -> expressions(child, to));
  }

  @Test
  void theDashboardAsksForMetricsThatThereAre() throws Exception {
    Set<String> names =
        PrometheusNames.metrics().keySet().stream().map(Metric::name).collect(Collectors.toSet());
    names.add("mammoth_console_nodes");
    List<String> expressions = new ArrayList<>();
    expressions(new ObjectMapper().readTree(DASHBOARD.toFile()), expressions);
    Set<String> asked = new TreeSet<>();
    for (String expression : expressions) {
      Matcher name = Pattern.compile("mammoth_\\w+").matcher(expression);
      while (name.find()) {
        asked.add(name.group());
      }
    }
    assertThat(asked).hasSizeGreaterThan(15).isSubsetOf(names);
  }
}
