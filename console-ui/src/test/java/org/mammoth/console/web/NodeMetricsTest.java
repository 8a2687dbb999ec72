// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.read.ClusterView;

/** Prometheus takes a counter that falls for one that began anew, and adds all of it again. */
class NodeMetricsTest {

  private static final String NODE = "n1:8042";

  private static EngineSample engine(String id, long ageMs, long gcMs, long errors)
      throws Exception {
    String lane = "{\"ioClass\":\"SORT\",\"direction\":\"WRITE\",\"errors\":" + errors + "}";
    String text =
        "{\"id\":\""
            + id
            + "\",\"role\":\"TASKS\",\"draining\":\"\",\"ageMs\":"
            + ageMs
            + ",\"problem\":\"\",\"counts\":{},\"jvm\":{\"gcMs\":"
            + gcMs
            + "},\"memory\":{\"byKind\":{},\"leases\":[],\"reduces\":[],\"waiters\":[]},"
            + "\"elements\":{\"shares\":[]},\"disks\":[{\"name\":\"sda\",\"dirs\":[],\"lanes\":["
            + lane
            + "]}],\"tasks\":[]}";
    return new ObjectMapper().readValue(text, EngineSample.class);
  }

  private static Map<String, Double> counters(EngineSample... engines) {
    NodeSample sample =
        new NodeSample(1, 1, true, 0, 0, 0, 7, Map.of(), List.of(), null, null, List.of(engines));
    NodeState node =
        new NodeState(
            NODE,
            "n1",
            "/r",
            "http://" + NODE,
            null,
            "RUNNING",
            "3.4.2",
            Reach.OK,
            "",
            1,
            sample,
            null,
            "",
            null);
    Moment moment =
        Moment.of(
            1, new ClusterView(1, Map.of(), new TreeMap<>(Map.of(NODE, node)), List.of(), null));
    Map<String, Double> values = new TreeMap<>();
    Matcher line =
        Pattern.compile("(?m)^(\\w+_total\\{.*}) (\\S+)$").matcher(NodeMetrics.of(moment));
    while (line.find()) {
      values.put(line.group(1), Double.valueOf(line.group(2)));
    }
    return values;
  }

  @Test
  void noCounterFallsWhenAnEngineIsSilentOrEnds() throws Exception {
    EngineSample old = engine("engine-ada-1", 5, 600_000, 4);
    EngineSample other = engine("engine-ben-2", 5, 100_000, 3);
    List<Map<String, Double>> seconds = new ArrayList<>();
    seconds.add(counters(old, other));
    seconds.add(counters(engine("engine-ada-1", -1, 0, 0), other));
    seconds.add(counters(old, other));
    seconds.add(counters(other));
    assertThat(seconds.get(0))
        .containsEntry(
            "mammoth_node_engine_gc_seconds_total{node=\"n1:8042\",engine=\"engine-ada-1\"}", 600.0)
        .containsEntry(
            "mammoth_node_engine_io_errors_total{node=\"n1:8042\",engine=\"engine-ben-2\"}", 3.0)
        .containsEntry("mammoth_node_fallback_tasks_total{node=\"n1:8042\"}", 7.0);
    Map<String, Double> last = new TreeMap<>();
    for (Map<String, Double> second : seconds) {
      second.forEach(
          (series, value) ->
              assertThat(value).as(series).isGreaterThanOrEqualTo(last.getOrDefault(series, 0.0)));
      last.putAll(second);
    }
  }
}
