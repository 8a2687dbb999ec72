// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.model.JobSample;

/** Which jobs the console lists of a ResourceManager that has more than it shows. */
class RecentJobsTest {

  private static final long DAY = 86_400_000;
  private static final long NOW = 1_700_000_000_000L;

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, ObjectNode> apps = new LinkedHashMap<>();
  private final List<Map<String, String>> asked = new CopyOnWriteArrayList<>();
  private final List<String> paths = new CopyOnWriteArrayList<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private final HttpClient client = new HttpClient();
  private Server server;
  private String origin;
  private JobReader reader;

  @BeforeEach
  void start() throws Exception {
    server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(
        new AbstractHandler() {
          @Override
          public void handle(
              String target, Request base, HttpServletRequest request, HttpServletResponse response)
              throws IOException {
            base.setHandled(true);
            paths.add(target);
            await(target);
            response.setContentType("application/json");
            response.getWriter().write(answer(request));
          }
        });
    server.start();
    origin = "http://127.0.0.1:" + server.getURI().getPort();
    client.start();
    ClusterHttp http = new ClusterHttp(client, "");
    http.admit(origin);
    Configuration conf = new Configuration(false);
    conf.set(ConsoleKeys.HISTORYSERVER.name(), origin);
    reader = new JobReader(http, Addresses.of(conf), () -> origin, 60_000);
  }

  private void await(String target) throws IOException {
    try {
      if (target.endsWith("/tasks") && !held.await(60, TimeUnit.SECONDS)) {
        throw new IOException("nobody lets it go on");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @AfterEach
  void stop() throws Exception {
    client.stop();
    server.stop();
  }

  /** As a ResourceManager does: with a limit it leaves out any, here the latest. */
  private String answer(HttpServletRequest request) {
    Map<String, String> query = new HashMap<>();
    request.getParameterMap().forEach((name, values) -> query.put(name, values[0]));
    asked.add(query);
    ArrayNode list = json.createArrayNode();
    for (ObjectNode app : apps.values()) {
      if (within(app, query)
          && list.size() < Integer.parseInt(query.getOrDefault("limit", "9999"))) {
        list.add(app);
      }
    }
    ObjectNode answer = json.createObjectNode();
    answer.putObject("apps").set("app", list);
    return answer.toString();
  }

  private static boolean within(ObjectNode app, Map<String, String> query) {
    String states = query.get("states");
    return (states == null || List.of(states.split(",")).contains(app.path("state").asText()))
        && app.path("startedTime").asLong()
            >= Long.parseLong(query.getOrDefault("startedTimeBegin", "0"))
        && app.path("finishedTime").asLong()
            >= Long.parseLong(query.getOrDefault("finishedTimeBegin", "0"));
  }

  private void app(int number, long startedMs, long finishedMs) {
    String id = String.format("application_1_%04d", number);
    apps.put(
        id,
        json.createObjectNode()
            .put("id", id)
            .put("state", finishedMs == 0 ? "RUNNING" : "FINISHED")
            .put("finalStatus", finishedMs == 0 ? "UNDEFINED" : "FAILED")
            .put("startedTime", startedMs)
            .put("finishedTime", finishedMs));
  }

  private static String job(int number) {
    return String.format("job_1_%04d", number);
  }

  private List<String> listed(long nowMs) throws Exception {
    return reader.jobs(origin, nowMs).get().stream().map(JobSample::id).toList();
  }

  @Test
  void allThatRunAreListedHoweverManyHaveEnded() throws Exception {
    app(1, NOW - 2 * DAY, 0);
    for (int i = 2; i < 702; i++) {
      app(i, NOW - DAY + 60_000 * i, NOW - DAY + 60_000 * i + 30_000);
    }
    app(702, NOW - 1000, 0);
    List<String> listed = listed(NOW);
    assertThat(listed)
        .hasSize(2 + RecentJobs.MOST_ENDED)
        .startsWith(job(702), job(701))
        .endsWith(job(1))
        .contains(job(701 - RecentJobs.MOST_ENDED + 1))
        .doesNotContain(job(701 - RecentJobs.MOST_ENDED));
  }

  @Test
  void theEndOfAJobOfManyDaysIsSeen() throws Exception {
    app(1, NOW - 3 * DAY, 0);
    app(2, NOW - DAY, NOW - DAY / 2);
    assertThat(listed(NOW)).containsExactly(job(2), job(1));
    app(1, NOW - 3 * DAY, NOW + 1000);
    JobSample ended = reader.jobs(origin, NOW + 3000).get().get(1);
    assertThat(ended.id()).isEqualTo(job(1));
    assertThat(ended.running()).isFalse();
    assertThat(ended.finalStatus()).isEqualTo("FAILED");
    assertThat(listed(NOW + 1000 + DAY + 1)).as("a day later").isEmpty();
  }

  @Test
  void whatHasEndedIsAskedForOnce() throws Exception {
    app(1, NOW - DAY / 2, NOW - DAY / 4);
    app(2, NOW - DAY / 2, NOW - 60_000);
    listed(NOW);
    assertThat(listed(NOW + 3000)).containsExactlyInAnyOrder(job(1), job(2));
    List<Long> since = new ArrayList<>();
    asked.stream()
        .filter(query -> query.containsKey("finishedTimeBegin"))
        .forEach(query -> since.add(Long.parseLong(query.get("finishedTimeBegin"))));
    assertThat(since).containsExactly(NOW - DAY, NOW - 660_000);
    assertThat(asked).noneMatch(query -> query.containsKey("limit"));
  }

  @Test
  void aClockThatWasAheadHidesNoEnd() throws Exception {
    app(1, NOW - 1000, NOW + DAY);
    listed(NOW);
    app(2, NOW, NOW + 2000);
    assertThat(listed(NOW + 3000)).contains(job(2));
  }

  /** The ResourceManager's clock is behind by so much. */
  private void behind(long byMs) throws Exception {
    long theirs = NOW - byMs;
    app(1, theirs - 60_000, 0);
    assertThat(listed(NOW)).containsExactly(job(1));
    app(1, theirs - 60_000, theirs + 2000);
    JobSample ended = reader.jobs(origin, NOW + 3000).get().get(0);
    assertThat(ended.finishedMs()).isEqualTo(theirs + 2000);
    assertThat(ended.endSeenMs()).isEqualTo(NOW + 3000);
    // One that nobody saw run ends, too.
    app(2, theirs + 3000, theirs + 4000);
    List<JobSample> both = reader.jobs(origin, NOW + 6000).get();
    assertThat(both)
        .extracting(JobSample::id, JobSample::endSeenMs)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple(job(2), NOW + 6000),
            org.assertj.core.api.Assertions.tuple(job(1), NOW + 3000));
    // However often it is told of again.
    assertThat(listed(NOW + 6001 + DAY)).isEmpty();
    assertThat(listed(NOW + 9000 + DAY)).isEmpty();
  }

  @Test
  void anEndByAClockThatIsTwoHoursBehindIsSeen() throws Exception {
    behind(7_200_000);
  }

  @Test
  void anEndByAClockThatIsDaysBehindIsSeen() throws Exception {
    behind(3 * DAY);
  }

  @Test
  void whatHadEndedBeforeTheStartIsNoNews() throws Exception {
    app(1, NOW - DAY / 2, NOW - DAY / 4);
    assertThat(reader.jobs(origin, NOW).get().get(0).endSeenMs()).isEqualTo(NOW - DAY / 4);
    app(2, NOW - DAY / 2, NOW + 1000);
    reader.jobs(origin, NOW + 3000).get();
    assertThat(reader.jobs(origin, NOW + 6000).get())
        .extracting(JobSample::endSeenMs)
        .as("by their own time where that is plausible")
        .containsExactlyInAnyOrder(NOW - DAY / 4, NOW + 1000);
  }

  @Test
  void whoAsksForAJobWhileAnotherDoesGetsTheSameAnswer() throws Exception {
    app(1, NOW - 2000, NOW - 1000);
    JobSample ended = reader.jobs(origin, NOW).get().get(0);
    CompletableFuture<JsonNode> one = reader.tasks(ended);
    CompletableFuture<JsonNode> other = reader.tasks(ended);
    held.countDown();
    assertThat(one.get(60, TimeUnit.SECONDS)).isSameAs(other.get(60, TimeUnit.SECONDS));
    String path = "/ws/v1/history/mapreduce/jobs/" + job(1) + "/tasks";
    assertThat(paths.stream().filter(path::equals)).hasSize(1);
    reader.tasks(ended).get(60, TimeUnit.SECONDS);
    assertThat(paths.stream().filter(path::equals)).as("later it is asked anew").hasSize(2);
  }
}
