// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/**
 * Actions from the page's request to the daemon's RPC and back. ada is an administrator everywhere,
 * ben of the console only, carl of neither.
 */
class ActionTest {

  @TempDir static Path dir;
  private static SimulatedCluster cluster;
  private static Console console;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Map<String, String> SESSIONS = new HashMap<>();
  private final ObjectMapper json = new ObjectMapper();

  @BeforeAll
  static void start() throws Exception {
    cluster = new SimulatedCluster(2, Clock.systemUTC());
    cluster.admins().admin("ada");
    console =
        ConsoleUnderTest.start(
            cluster,
            dir,
            conf -> {
              conf.set(ConsoleKeys.ACL_ADMIN.name(), "ada,ben");
              conf.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
            });
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> send("GET", "/overview", "ada").body().contains("\"OK\":2"));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> send("GET", "/jobs", "ada").body().contains("_0003"));
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
    cluster.close();
  }

  private static HttpRequest request(String method, String path, String user) {
    String who = (path.contains("?") ? "&" : "?") + "user.name=" + user;
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + console.port() + "/api/v1" + path + who))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .header(SecurityHeaders.CSRF_HEADER, "x")
        .header("Cookie", SESSIONS.computeIfAbsent(user, u -> ConsoleUnderTest.session(console, u)))
        .build();
  }

  private static HttpResponse<String> send(String method, String path, String user)
      throws Exception {
    return HTTP.send(request(method, path, user), HttpResponse.BodyHandlers.ofString());
  }

  private static String node() {
    return "/nodes/" + cluster.id(0);
  }

  private void order(String path, String carriedOut, String... said) throws Exception {
    HttpResponse<String> answer = send("POST", path, "ada");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(json.readTree(answer.body()).path("outcome").asText()).contains(said);
    assertThat(cluster.admins().orders()).contains("ada " + carriedOut);
  }

  private static void refused(String path, String user, int status, String why) throws Exception {
    HttpResponse<String> answer = send("POST", path, user);
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(status);
    assertThat(answer.body()).contains(why).doesNotContain("Exception");
  }

  @Test
  void eachOrderReachesItsDaemonInTheNameOfWhoGaveIt() throws Exception {
    String act = node() + "/actions/";
    order(act + "drain", "drain ", "engine-alice-1 takes no more tasks");
    order(act + "drain?engine=engine-alice-1", "drain engine-alice-1", "ends with the last");
    order(act + "recycle", "recycle ", "engine-alice-1, engine-bob-2", "a new engine is starting");
    order(
        act + "disable",
        "turn mammoth.engine.enabled false",
        "mammoth.engine.enabled is switched off until the NodeManager restarts");
    order(
        act + "enable?key=mammoth.appmaster.warm",
        "turn mammoth.appmaster.warm true",
        "switched on");
    order("/cache/actions/evict?path=/w/x", "evict /w/x", "40 copies");
    order("/cache/actions/warm?path=/w/x", "warm /w/x", "6 blocks", "1 have none");
    order("/cache/actions/pin?path=/w/x", "pin /w/x true", "until the NameNode restarts");
    order("/cache/actions/unpin?path=/w/x", "pin /w/x false", "No longer pinned");
    assertThat(Files.readString(dir.resolve("audit.log")))
        .contains("\"user\":\"ada\"", "/cache/actions/pin", "\"subject\":\"/w/x\"")
        .contains("\"subject\":\"engine-alice-1\"", "\"subject\":\"mammoth.appmaster.warm\"");
  }

  @Test
  void whatIsNotDoneSaysWhy() throws Exception {
    String act = node() + "/actions/";
    refused(act + "drain", "ben", 403, "ben may not do this here");
    refused(act + "drain", "carl", 403, "carl is no administrator");
    refused("/cache/actions/evict?path=/x", "ben", 403, "ben may not");
    refused(act + "disable?key=mammoth.shuffle.push.enabled", "ada", 409, "is read from each job");
    refused(act + "drain?engine=engine-gone", "ada", 400, "engine-gone");
    refused("/cache/actions/warm?path=/missing", "ada", 404, "no such file");
    refused("/cache/actions/warm?path=relative", "ada", 400, "absolute");
    refused("/cache/actions/burn?path=/x", "ada", 404, "evict, pin, unpin, warm");
    refused(node() + "/profile?engine=e&seconds=2", "carl", 403, "carl is no administrator");
    refused(node() + "/profile?engine=e&seconds=2", "ben", 403, "ben may not do this here");
    refused(node() + "/profile?engine=e&seconds=99", "ada", 400, "1 .. 60");
    refused(node() + "/profile?seconds=2", "ada", 400, "engine is missing");
    refused("/fleet/recycle?rack=/nowhere", "ada", 409, "/nowhere");
    refused("/fleet/recycle", "carl", 403, "carl is no administrator");
    refused(act + "drain?key=k", "ada", 400, "drain knows no parameter key");
    refused("/nodes/elsewhere:1/actions/drain", "ada", 404, "no node");
    assertThat(Files.readString(dir.resolve("audit.log")))
        .contains("\"user\":\"carl\"", "\"status\":403", "\"status\":409");
  }

  @Test
  void aConsoleThatMayNotActForSomebodySaysWhichKeyLetsIt() throws Exception {
    cluster.admins().actFor("nobody");
    try {
      refused(node() + "/actions/drain", "ada", 403, "hadoop.proxyuser.");
      HttpResponse<String> answer = send("GET", "/cache/datasets", "olga");
      assertThat(answer.statusCode()).isEqualTo(403);
    } finally {
      cluster.admins().actFor("*");
    }
  }

  @Test
  void dataSetsAreThoseTheReaderMayRead() throws Exception {
    assertThat(send("GET", "/cache/datasets", "ada").body()).contains("part0", "part5");
    assertThat(send("GET", "/cache/datasets", "carl").body())
        .contains("part1")
        .doesNotContain("part0");
    JsonNode sets = json.readTree(send("GET", "/cache/datasets", "ada").body()).path("sets");
    JsonNode last = sets.get(sets.size() - 1);
    assertThat(last.path("path").asText()).isEqualTo("/warehouse/old");
    assertThat(last.path("cachedBlocks").asInt()).isZero();
    assertThat(last.path("evictedFor").asText()).isEqualTo("DISPLACED");
    assertThat(last.path("displacedBy").asText()).isEqualTo("/warehouse/part1");
  }

  @Test
  void theTraceIsRunThroughOtherPoliciesAndSizesWithinALimit() throws Exception {
    // A node's DataNode may be found after its NodeManager.
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> send("GET", "/cache/whatif?policies=LRU", "ada").body().contains("\"slaves\":2"));
    JsonNode all = json.readTree(send("GET", "/cache/whatif", "ada").body());
    assertThat(all.path("rounds").asInt()).isEqualTo(2000);
    assertThat(all.path("slaves").asInt()).isEqualTo(2);
    assertThat(all.path("runs")).hasSize(12);
    JsonNode two =
        json.readTree(send("GET", "/cache/whatif?policies=LRU&sizes=0.5,1000", "ada").body())
            .path("runs");
    assertThat(two).hasSize(2);
    assertThat(two.at("/1/blockHitRate").asDouble())
        .isGreaterThan(0.9)
        .isGreaterThan(two.at("/0/blockHitRate").asDouble());
    for (String bad :
        new String[] {
          "policies=best",
          "sizes=none",
          "sizes=-1",
          "sizes=1e99",
          "sizes=NaN",
          "sizes=,",
          "policies=",
          "sizes=1,2,3,4,5,6,7"
        }) {
      HttpResponse<String> answer = send("GET", "/cache/whatif?" + bad, "ada");
      assertThat(answer.statusCode()).as(bad + answer.body()).isEqualTo(400);
    }
  }

  @Test
  void aBundleHasWhatThereIsAndNamesWhatThereIsNot() throws Exception {
    Map<String, String> files = bundle("ada", 200);
    assertThat(files.keySet())
        .contains("about.json", "cluster.json", "node.json", "history.json", "decisions.json")
        .contains("configuration.json", "threads.txt", "logs/mammoth-engine-alice-1.out")
        .noneMatch(name -> name.contains("../"));
    assertThat(files.get("missing.txt")).isEmpty();
    assertThat(files.get("node.json")).contains(cluster.id(0), "engines");
    assertThat(files.get("threads.txt")).contains("Thread 1");
    assertThat(files.get("configuration.json")).contains("fs.s3a.secret.key");
    assertThat(String.join("\n", files.values())).doesNotContain("hush");
    // ben may have the console's part; the node does not give him its logs.
    assertThat(bundle("ben", 200).get("missing.txt")).contains("logs: ben may not");
    bundle("carl", 403);
  }

  private static Map<String, String> bundle(String user, int status) throws Exception {
    HttpResponse<byte[]> answer =
        HTTP.send(
            request("POST", node() + "/bundle", user), HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).isEqualTo(status);
    Map<String, String> files = new TreeMap<>();
    if (status == 200) {
      assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
          .matches("attachment; filename=\"mammoth-[A-Za-z0-9._-]+\\.zip\"");
      try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(answer.body()))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return files;
  }

  @Test
  void aJobStandsBesideItsEarlierRuns() throws Exception {
    JsonNode runs =
        json.readTree(send("GET", "/jobs/job_1700000000000_0001/earlier", "ada").body())
            .path("runs");
    assertThat(runs)
        .extracting(run -> run.path("id").asText().substring(18))
        .containsExactly("0001", "0004", "0005");
    assertThat(runs.at("/1/counters/SPILLED_RECORDS").asLong()).isEqualTo(2000);
    assertThat(inputs(runs.at("/0/reduceInput"))).containsExactly(10L << 30, 1L << 30, 5L << 30);
    assertThat(inputs(runs.at("/1/reduceInput"))).containsExactly(6L << 30, 5L << 30, 5L << 30);
    assertThat(runs.at("/2/counters/REDUCE_SHUFFLE_BYTES").asLong()).isEqualTo(16L << 30);
    assertThat(runs.at("/2/reduceInput").isNull())
        .as("of a Mammoth that did not count it")
        .isTrue();
    assertThat(send("GET", "/jobs/job_1700000000000_0002/earlier", "ada").body())
        .doesNotContain("_0004");
    assertThat(send("GET", "/jobs/job_9_9/earlier", "ada").statusCode()).isEqualTo(404);
  }

  private static long[] inputs(JsonNode input) {
    return new long[] {
      input.path("memoryBytes").asLong(-1),
      input.path("diskBytes").asLong(-1),
      input.path("networkBytes").asLong(-1)
    };
  }

  @Test
  void aJobTellsWhereItsReducesInputCameFromOrThatItDoesNot() throws Exception {
    assertThat(inputs(input(1))).containsExactly(10L << 30, 1L << 30, 5L << 30);
    assertThat(inputs(input(2))).containsExactly(4L << 30, 0, 8L << 30);
    assertThat(input(3).isNull()).as("of a job of stock").isTrue();
    assertThat(input(5).isNull()).as("of a Mammoth that did not count it").isTrue();
  }

  private JsonNode input(int job) throws Exception {
    return json.readTree(send("GET", "/jobs/job_1700000000000_000" + job, "ada").body())
        .path("reduceInput");
  }

  @Test
  void nonsenseOrdersAreRefusedClearly() throws Exception {
    Random random = new Random(5);
    String[] paths = {
      node() + "/actions/", "/cache/actions/", "/nodes/", "/cache/whatif", node() + "/bundle"
    };
    String[] names = {"path", "engine", "key", "policies", "sizes", "nonsense"};
    String alphabet = "evictwarmpn/.%\\'\"<>{}|;\u0000\n\u00e9 0,";
    for (int i = 0; i < 300; i++) {
      StringBuilder path = new StringBuilder(paths[random.nextInt(paths.length)]);
      path.append(URLEncoder.encode(text(random, alphabet), StandardCharsets.UTF_8));
      path.append('?').append(names[random.nextInt(names.length)]).append('=');
      path.append(URLEncoder.encode(text(random, alphabet) + "\u0000", StandardCharsets.UTF_8));
      HttpResponse<String> answer = send("POST", path.toString(), "ada");
      assertThat(answer.statusCode()).as(path.toString()).isBetween(400, 499);
      assertThat(json.readTree(answer.body()).path("error").asText()).isNotEmpty();
      assertThat(answer.body()).doesNotContain("Exception", "org.mammoth", "at java");
    }
  }

  private static String text(Random random, String alphabet) {
    StringBuilder text = new StringBuilder();
    for (int c = random.nextInt(16); c > 0; c--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }
}
