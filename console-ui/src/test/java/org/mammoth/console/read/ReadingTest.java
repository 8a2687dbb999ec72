// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.client.HttpClient;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.CacheMasterSample;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.Decision;
import org.mammoth.console.model.ElementSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.MemorySample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.ReduceInput;

/** What daemons say, in the words of their own documents, and what must not be asked. */
class ReadingTest {

  private final ObjectMapper json = new ObjectMapper();

  private ObjectNode page(String attribute, String text) {
    ObjectNode page = json.createObjectNode();
    page.putArray("beans").addObject().put("name", "x").put(attribute, text);
    return page;
  }

  @Test
  void anEngineIsReadFieldByField() {
    String text =
        """
        {"version":1,"atMs":5,"enabled":true,"shareMb":2048,"admittedMb":512,"admittedTasks":1,
        "fallbacks":{"total":2,"byReason":{"streaming":2},"last":[]},"engines":[{"engineId":"e1",
        "user":"u","pid":7,"role":"TASKS","open":true,"ageMs":3,"problem":"","future":[1],
        "snapshot":{"version":1,"startedMs":4,"draining":"","counts":{"running":1,"started":9},
        "jvm":{"residentBytes":1000,"heapUsedBytes":10},"memory":{"capBytes":100,"usedBytes":60,
        "mapQuotaBytes":40,"reduceQuotaBytes":30,"pressure":true,"nextDecision":12,
        "byKind":{"ELEMENT":20,"SORT":40},"leases":[{"user":"u","job":"j","attempt":"",
        "attempts":3,"kind":"SORT","bytes":40}],"waiters":[{"attempt":"a","kind":"SEND",
        "waitedMs":17,"passedBy":2}]},"disks":[{"disk":"sda","inFlight":1,"lanes":[{"ioClass":
        "SORT","direction":"WRITE","depthUnits":6,"heldBytes":66,"oldestAgeMs":9,
        "bytesPerSecond":2.6,"errors":1}]}],"tasks":[{"attempt":"attempt_1_0002_r_000003_0",
        "job":"job_1_0002","phase":"SHUFFLE"}]}}]}
        """;
    NodeSample node = new EngineAdapter().parse(page("Snapshot", text), new HostRates(), 99);
    assertThat(node.fallbackReasons()).containsExactly(Map.entry("streaming", 2L));
    EngineSample engine = node.engines().get(0);
    MemorySample memory = engine.memory();
    assertThat(memory.cap()).isEqualTo(100);
    assertThat(memory.kind("SORT")).isEqualTo(40);
    assertThat(memory.kind("SEND")).isZero();
    assertThat(memory.pressure()).isTrue();
    assertThat(memory.leases().get(0).attempts()).isEqualTo(3);
    assertThat(memory.waiters().get(0).waitedMs()).isEqualTo(17);
    assertThat(engine.jvm().rss()).isEqualTo(1000);
    assertThat(engine.disks().get(0).depthOf("SORT")).isEqualTo(6);
    assertThat(engine.disks().get(0).rate("WRITE")).isEqualTo(3);
    assertThat(engine.tasks().get(0).type()).isEqualTo("REDUCE");
  }

  @Test
  void whatAnEngineDoesNotTellIsNoneAndWhatIsLaterIsLeftOut() {
    String text =
        """
        {"version":1,"unheardOf":{"a":[1]},"host":{"cores":4,"future":"x"},"engines":[
        {"engineId":"starting","user":null,"later":true},
        {"engineId":"old","ageMs":5,"snapshot":{"memory":{"poolBytes":64,"reduces":[{}]},
        "disks":[{"lanes":[{}]}],"tasks":[{"attempt":null}]}}]}
        """;
    NodeSample node = new EngineAdapter().parse(page("Snapshot", text), new HostRates(), 99);
    assertThat(node.fallbacks()).isZero();
    assertThat(node.lastFallbacks()).isEmpty();
    assertThat(node.host().cores()).isEqualTo(4);
    assertThat(node.host().memory()).isEqualTo(Figures.UNKNOWN);
    EngineSample starting = node.engines().get(0);
    assertThat(starting.told()).isFalse();
    assertThat(starting.user()).isEmpty();
    assertThat(starting.problem()).isEmpty();
    assertThat(starting.counts().running()).isZero();
    assertThat(starting.jvm().rss()).isZero();
    assertThat(starting.memory()).isEqualTo(MemorySample.NONE);
    assertThat(starting.elements()).isEqualTo(ElementSample.NONE);
    EngineSample old = node.engines().get(1);
    assertThat(old.told()).isTrue();
    assertThat(old.memory().poolLimit()).isEqualTo(64);
    assertThat(old.memory().reduces().get(0).desired()).isEqualTo(-1);
    assertThat(old.memory().reduces().get(0).attempt()).isEmpty();
    assertThat(old.disks().get(0).depth()).isZero();
    assertThat(old.tasks().get(0).type()).isEmpty();
  }

  @Test
  void whatIsNoSnapshotIsSaidToBeNone() {
    EngineAdapter adapter = new EngineAdapter();
    assertThatThrownBy(() -> adapter.parse(page("Snapshot", "{\"engines\":7}"), new HostRates(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Snapshot");
  }

  @Test
  void theCachesReportIsReadAndNoneIsNoZeros() {
    ObjectNode page = json.createObjectNode();
    ObjectNode bean = page.putArray("beans").addObject().put("Active", true);
    assertThat(new CacheAdapter().master(page, 1)).isNull();
    bean.put("Report", "{}");
    assertThat(new CacheAdapter().master(page, 1)).isNull();
    bean.put(
        "Report", "{\"policy\":\"mpcache\",\"rounds\":0,\"refusals\":{\"FITS\":2},\"later\":1}");
    assertThat(new CacheAdapter().master(page, 1))
        .isEqualTo(new CacheMasterSample(1, "mpcache", 0, 0, 0, 0, 0, 0, 0, Map.of("FITS", 2L)));
    bean.put("Active", false);
    assertThat(new CacheAdapter().master(page, 1)).isNull();
  }

  @Test
  void absentAndLaterAreToldApart() {
    EngineAdapter adapter = new EngineAdapter();
    ObjectNode empty = json.createObjectNode();
    empty.putArray("beans");
    assertThat(adapter.parse(empty, new HostRates(), 0)).isNull();
    assertThatThrownBy(() -> adapter.parse(page("Snapshot", "{\"version\":2}"), new HostRates(), 0))
        .hasMessageContaining("upgrade the console");
    assertThatThrownBy(() -> adapter.parse(json.createObjectNode(), new HostRates(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theCachesSpaceIsTakenApart() {
    ObjectNode page = json.createObjectNode();
    ObjectNode bean = page.putArray("beans").addObject();
    bean.put("Hits", 9).put("Misses", 1);
    var space = bean.putArray("Space");
    Map.of(
            "inputCapacity",
            90L,
            "inputUsed",
            50L,
            "localizedCapacity",
            30L,
            "localizedUsed",
            5L,
            "pool",
            40L,
            "poolLent",
            10L)
        .forEach((key, value) -> space.addObject().put("key", key).put("value", value));
    CacheSample cache = new CacheAdapter().slave(page, 1).cache();
    assertThat(cache.refused()).as("not told").isZero();
    assertThat(cache.inputBytes()).as("always input").isEqualTo(60);
    assertThat(cache.localizedBytes()).as("always localized").isEqualTo(20);
    assertThat(cache.total()).isEqualTo(120);
    bean.putArray("Space");
    assertThat(new CacheAdapter().slave(page, 1).untold()).contains("not tell its space yet");
  }

  private ReduceInput reduceInput(String group, String... names) {
    ObjectNode answer = json.createObjectNode();
    ObjectNode counters = answer.putObject("jobCounters").putArray("counterGroup").addObject();
    ArrayNode list = counters.put("counterGroupName", group).putArray("counter");
    for (String name : names) {
      list.addObject().put("name", name).put("totalCounterValue", name.length() * (1L << 40));
    }
    return CounterAdapter.reduceInput(FinishedJobs.counters(answer));
  }

  @Test
  void whereReducesInputCameFromIsToldByMammothAloneAndAbsentIsNotZero() {
    String group = "org.mammoth.mapreduce.MammothShuffleCounter";
    assertThat(reduceInput(group, "NODE_SEGMENTS", "MEMORY_BYTES", "DISK_BYTES", "NETWORK_BYTES"))
        .isEqualTo(new ReduceInput(12L << 40, 10L << 40, 13L << 40));
    assertThat(reduceInput(group, "NETWORK_BYTES")).isEqualTo(new ReduceInput(0, 0, 13L << 40));
    assertThat(reduceInput(group, "NODE_SEGMENTS", "PUSHED_SEGMENTS")).isNull();
    assertThat(reduceInput("a.user.Counters", "MEMORY_BYTES", "NETWORK_BYTES")).isNull();
    assertThat(CounterAdapter.reduceInput(FinishedJobs.counters(json.createObjectNode()))).isNull();
  }

  @Test
  void aJobsOwnCountersHideNoneOfMammoths() {
    ObjectNode answer = json.createObjectNode();
    ArrayNode groups = answer.putObject("jobCounters").putArray("counterGroup");
    ArrayNode own = groups.addObject().put("counterGroupName", "a.user.C").putArray("counter");
    for (int i = 0; i < 1000; i++) {
      own.addObject().put("name", "c" + i).put("totalCounterValue", i);
    }
    groups
        .addObject()
        .put("counterGroupName", "org.mammoth.mapreduce.MammothCounter")
        .putArray("counter")
        .addObject()
        .put("name", "ENGINE_FALLBACKS")
        .put("totalCounterValue", 3);
    assertThat(FinishedJobs.counters(answer))
        .hasSize(250)
        .extracting(JobCounter::name)
        .startsWith("ENGINE_FALLBACKS", "c0", "c1");
  }

  @Test
  void onlyOriginsOfTheClusterAreAsked() throws Exception {
    HttpClient client = new HttpClient();
    client.start();
    try {
      ClusterHttp http = new ClusterHttp(client, "");
      assertThat(http.admit("http://node:8042")).isTrue();
      for (String bad :
          new String[] {
            "file:///etc/passwd",
            "http://node",
            "http://user@node:1",
            "http://node:1/path",
            "http://node:1?x",
            "gopher://node:70",
            "//node:1",
            "http://no de:1",
            ""
          }) {
        assertThat(http.admit(bad)).as(bad).isFalse();
      }
      assertThat(http.getText("http://elsewhere:80", "/", 100, 100)).isCompletedExceptionally();
      http.dismiss("http://node:8042");
      assertThatThrownBy(() -> http.getText("http://node:8042", "/", 100, 100).get())
          .hasMessageContaining("not a daemon of this cluster");
    } finally {
      client.stop();
    }
  }

  @Test
  void nodeManagersAndDataNodesOfAHostAreOneNode() {
    Discovery.Found manager =
        new Discovery.Found("a:8042", "a", "/r", "RUNNING", "3", "http://a:8042", null, null);
    Discovery.Found data =
        new Discovery.Found("a:9864", "a", "", "", "3", null, "http://a:9864", null);
    Discovery.Found alone =
        new Discovery.Found("b:9864", "b", "", "", "3", null, "http://b:9864", null);
    Map<String, Discovery.Found> merged = Discovery.merge(List.of(manager), List.of(data, alone));
    assertThat(merged).containsOnlyKeys("a:8042", "b:9864");
    assertThat(merged.get("a:8042").dataNode()).isEqualTo("http://a:9864");
  }

  private void listed(ArrayNode nodes, String state, int port, String address) {
    nodes
        .addObject()
        .put("id", "n1:" + port)
        .put("nodeHostName", "n1")
        .put("state", state)
        .put("nodeHTTPAddress", address);
  }

  private List<Discovery.Found> nodeManagers(ObjectNode answer) {
    ClusterHttp http = new ClusterHttp(new HttpClient(), "");
    return new Discovery(http, Addresses.of(new Configuration(false)), 1000).nodeManagers(answer);
  }

  /** As with port 0, which is the default of yarn.nodemanager.address. */
  @Test
  void aNodeManagerThatCameBackOnAnotherPortIsOneNode() {
    for (String former : new String[] {"LOST", "SHUTDOWN"}) {
      String kept = former.equals("LOST") ? "" : "n1:8042";
      ObjectNode answer = json.createObjectNode();
      ArrayNode nodes = answer.putObject("nodes").putArray("node");
      listed(nodes, former, 45001, kept);
      assertThat(nodeManagers(answer))
          .extracting(Discovery.Found::yarnState, Discovery.Found::nodeManager)
          .as("as long as it is away")
          .containsExactly(tuple(former, null));
      listed(nodes, "RUNNING", 38877, "n1:8042");
      assertThat(nodeManagers(answer))
          .extracting(Discovery.Found::yarnState, Discovery.Found::id)
          .containsExactly(tuple("RUNNING", "n1:8042"));
    }
  }

  /** It keeps its address, at which nobody answers; that it did not before it left is no news. */
  @Test
  void aNodeManagerThatWasStoppedIsNotUnreachable() {
    ObjectNode answer = json.createObjectNode();
    ArrayNode nodes = answer.putObject("nodes").putArray("node");
    listed(nodes, "RUNNING", 8041, "n1:8042");
    NodeTrack track = new NodeTrack(nodeManagers(answer).get(0), 1000);
    assertThat(track.begin(1)).isTrue();
    nodes.removeAll();
    listed(nodes, "SHUTDOWN", 8041, "n1:8042");
    track.found(nodeManagers(answer).get(0));
    track.fail(2, new java.net.ConnectException("refused"), null);
    assertThat(track.state(true).reach()).isEqualTo(NodeState.Reach.NEW);
    assertThat(track.state(true).id()).as("its history goes on").isEqualTo("n1:8042");
    assertThat(track.begin(10_000)).isFalse();
  }

  private static DecisionAdapter.Log log(long next, Decision... decisions) {
    return new DecisionAdapter.Log("e", next, List.of(decisions));
  }

  private static Decision decision(long sequence, long bytes) {
    return new Decision("e", sequence, 0, "GRANT", "", "", "", "", bytes, "", "", "", 0);
  }

  @Test
  void decisionsAreTakenOnceAndGrownOnesAgain() {
    DecisionCursor cursor = new DecisionCursor();
    assertThat(cursor.gap(List.of(log(5, decision(4, 1))))).isFalse();
    assertThat(cursor.take(List.of(log(2, decision(0, 1), decision(1, 1))))).hasSize(2);
    assertThat(cursor.take(List.of(log(2, decision(0, 1), decision(1, 1))))).isEmpty();
    assertThat(cursor.take(List.of(log(2, decision(0, 1), decision(1, 8)))))
        .extracting(Decision::bytes)
        .containsExactly(8L);
    assertThat(cursor.gap(List.of(log(9, decision(8, 1))))).isTrue();
    assertThat(cursor.gap(List.of(log(3, decision(2, 1))))).isFalse();
  }

  @Test
  void whatTheClientRefusesAtOnceFailsAsAnyOtherQuestion() {
    // Not started, and a blank in the path: Jetty throws before anything is sent.
    ClusterHttp http = new ClusterHttp(new HttpClient(), "");
    assertThat(http.admit("http://node:8042")).isTrue();
    assertThat(http.getText("http://node:8042", "/a b", 1000, 1000)).isCompletedExceptionally();
  }
}
