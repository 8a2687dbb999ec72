// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.AlertKeys;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/**
 * Alerts and events from a sick cluster to the interface, the receiver of notifications and back.
 * ada is an administrator, bob owns the job that fails, carl sees neither.
 */
class AlertApiTest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, String> sessions = new HashMap<>();
  private final BlockingQueue<String> notifications = new LinkedBlockingQueue<>();
  private final Server receiver = new Server(0);
  @TempDir Path dir;
  private SimulatedCluster cluster;
  private Console console;

  @BeforeEach
  void start() throws Exception {
    receiver.setHandler(
        new AbstractHandler() {
          @Override
          public void handle(
              String target, Request base, HttpServletRequest request, HttpServletResponse response)
              throws java.io.IOException {
            base.setHandled(true);
            notifications.add(
                new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
          }
        });
    receiver.start();
    cluster = new SimulatedCluster(2, Clock.systemUTC());
    cluster.admins().admin("ada");
    begin();
  }

  private void begin() throws Exception {
    sessions.clear();
    int port = ((ServerConnector) receiver.getConnectors()[0]).getLocalPort();
    console =
        ConsoleUnderTest.start(
            cluster,
            dir,
            conf -> {
              conf.set(ConsoleKeys.ACL_ADMIN.name(), "ada");
              conf.set(ConsoleKeys.ACL_VIEW.name(), "ada");
              conf.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
              conf.set(AlertKeys.DISK_OUT.name(), "1");
              conf.set(AlertKeys.MEMORY_PRESSURE.name(), "0");
              conf.set(AlertKeys.RESOLVE.name(), "1");
              conf.set(AlertKeys.GROUP_WAIT.name(), "0");
              conf.set(AlertKeys.GROUP_INTERVAL.name(), "1");
              conf.set(AlertKeys.WEBHOOK.name(), "http://127.0.0.1:" + port + "/hook/s3cret");
            });
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> body("/overview", "ada").contains("\"OK\":2"));
  }

  @AfterEach
  void stop() throws Exception {
    console.close();
    cluster.close();
    receiver.stop();
  }

  private HttpResponse<String> send(String method, String path, String user) throws Exception {
    String who = (path.contains("?") ? "&" : "?") + "user.name=" + user;
    return HTTP.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + console.port() + "/api/v1" + path + who))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header(SecurityHeaders.CSRF_HEADER, "x")
            .header(
                "Cookie", sessions.computeIfAbsent(user, u -> ConsoleUnderTest.session(console, u)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String body(String path, String user) throws Exception {
    return send("GET", path, user).body();
  }

  private JsonNode alerts(String user) throws Exception {
    return json.readTree(body("/alerts", user));
  }

  private JsonNode group(String rule, String user) throws Exception {
    for (JsonNode group : alerts(user).path("groups")) {
      if (group.path("rule").asText().equals(rule)
          && group.path("state").asText().equals("FIRING")) {
        return group;
      }
    }
    return json.nullNode();
  }

  private void fires(String rule) {
    await().atMost(Duration.ofSeconds(30)).until(() -> !group(rule, "ada").isNull());
  }

  private List<String> events(String query, String user) throws Exception {
    List<String> found = new ArrayList<>();
    String span = "/events?from=0&to=" + (System.currentTimeMillis() + 60_000);
    for (JsonNode event : json.readTree(body(span + query, user)).path("events")) {
      found.add(
          String.join(
                  " ",
                  event.path("kind").asText(),
                  event.path("node").asText(),
                  event.path("job").asText(),
                  event.path("user").asText(),
                  event.path("subject").asText(),
                  event.path("text").asText())
              .replaceAll(" +", " "));
    }
    return found;
  }

  private JsonNode notified(String rule) throws Exception {
    while (true) {
      String next = notifications.poll(30, TimeUnit.SECONDS);
      assertThat(next).as("a notification of " + rule).isNotNull();
      if (json.readTree(next).at("/groupLabels/alertname").asText().equals(rule)) {
        return json.readTree(next);
      }
    }
  }

  @Test
  void aDiskFromItsFailureToItsEndOverARestart() throws Exception {
    cluster.node(0).diskOut("Input/output error");
    fires("DiskOut");
    JsonNode group = group("DiskOut", "ada");
    assertThat(group.at("/alerts/0/labels/node").asText()).isEqualTo(cluster.id(0));
    assertThat(group.at("/alerts/0/description").asText()).isEqualTo("Input/output error.");
    String fingerprint = group.at("/alerts/0/fingerprint").asText();
    assertThat(notified("DiskOut").at("/alerts/0/fingerprint").asText()).isEqualTo(fingerprint);
    assertThat(
            HTTP.send(
                    HttpRequest.newBuilder(
                            URI.create(
                                "http://127.0.0.1:" + console.port() + "/metrics?user.name=ada"))
                        .build(),
                    HttpResponse.BodyHandlers.ofString())
                .body())
        .contains("mammoth_console_alerts{alertname=\"DiskOut\",alertstate=\"firing\"} 1\n")
        .contains("mammoth_console_notifications_failed_total{channel=\"webhook\"} 0\n");

    HttpResponse<String> taken =
        send("POST", "/alerts/acknowledge?rule=DiskOut&comment=new%20disk", "ada");
    assertThat(taken.body()).contains("1 alert is acknowledged");
    String label = URLEncoder.encode("node=" + cluster.id(0), StandardCharsets.UTF_8);
    HttpResponse<String> muted =
        send("POST", "/alerts/mute?rule=DiskOut&minutes=30&label=" + label, "ada");
    assertThat(muted.statusCode()).as(muted.body()).isEqualTo(200);
    String mute = json.readTree(muted.body()).path("subject").asText();

    console.close();
    begin();
    fires("DiskOut");
    group = group("DiskOut", "ada");
    assertThat(group.path("muted").asBoolean()).isTrue();
    assertThat(group.at("/alerts/0/acknowledged/comment").asText()).isEqualTo("new disk");
    assertThat(alerts("ada").path("firing").asInt()).as("what is muted counts not").isZero();
    // Others do not learn who said it.
    assertThat(group("DiskOut", "carl").at("/alerts/0/acknowledged/user").asText()).isEmpty();
    assertThat(body("/alerts", "carl")).doesNotContain("ada", "new disk", "http://127.0.0.1:");

    assertThat(send("POST", "/alerts/unmute?mute=" + mute, "ada").statusCode()).isEqualTo(200);
    assertThat(send("POST", "/alerts/unmute?mute=" + mute, "ada").statusCode()).isEqualTo(404);
    cluster.node(0).diskOut("");
    assertThat(notified("DiskOut").path("status").asText()).isEqualTo("resolved");
    assertThat(alerts("ada").at("/resolved/0/rule").asText()).isEqualTo("DiskOut");
    assertThat(events("&kinds=ALERT_FIRED", "ada"))
        .as("a restart fires nothing again")
        .filteredOn(event -> event.contains("DiskOut"))
        .hasSize(1);
    assertThat(events("&kinds=ALERT_RESOLVED,ALERT_ACKNOWLEDGED,ALERT_MUTED,ALERT_UNMUTED", "ada"))
        .containsExactly(
            "ALERT_RESOLVED "
                + cluster.id(0)
                + " DiskOut /data/0/local of "
                + cluster.id(0)
                + " is left out",
            "ALERT_UNMUTED ada DiskOut DiskOut of node=" + cluster.id(0),
            "ALERT_MUTED ada DiskOut DiskOut of node=" + cluster.id(0),
            "ALERT_ACKNOWLEDGED ada DiskOut 1 alert of DiskOut");
    assertThat(events("&kinds=ALERT_MUTED", "carl")).containsExactly("ALERT_MUTED DiskOut DiskOut");
    assertThat(Files.readString(dir.resolve("audit.log")))
        .contains("/alerts/acknowledge\",\"subject\":\"DiskOut\"")
        .contains("/alerts/mute\",\"subject\":\"DiskOut node=" + cluster.id(0) + " 30\"")
        .contains("/alerts/unmute\",\"subject\":\"" + mute);
  }

  @Test
  void ofJobsEachSeesTheirOwn() throws Exception {
    await().atMost(Duration.ofSeconds(30)).until(() -> body("/jobs", "ada").contains("_0002"));
    cluster.failSecondJob();
    fires("JobFailed");
    assertThat(group("JobFailed", "bob").at("/alerts/0/labels/user").asText()).isEqualTo("bob");
    assertThat(group("JobFailed", "carl").isNull()).isTrue();
    assertThat(events("&kinds=JOB_ENDED", "ada"))
        .containsExactly(
            "JOB_ENDED job_1700000000000_0002 bob FAILED word count of the logs failed");
    assertThat(events("", "bob")).filteredOn(event -> event.contains("job_")).hasSize(2);
    assertThat(events("", "carl")).noneMatch(event -> event.contains("job_"));
    assertThat(body("/events?from=0&to=9999999999999", "carl")).doesNotContain("bob");
  }

  @Test
  void whatAdministratorsDoIsAnEventAndNamedToThoseWhoSeeAll() throws Exception {
    assertThat(send("POST", "/nodes/" + cluster.id(0) + "/actions/drain", "ada").statusCode())
        .isEqualTo(200);
    assertThat(send("POST", "/cache/actions/pin?path=/secret/set", "ada").statusCode())
        .isEqualTo(200);
    assertThat(send("POST", "/nodes/" + cluster.id(0) + "/actions/drain", "carl").statusCode())
        .isEqualTo(403);
    assertThat(events("&kinds=ACTION", "ada"))
        .containsExactly("ACTION ada /secret/set pin", "ACTION " + cluster.id(0) + " ada drain");
    assertThat(events("&kinds=ACTION", "carl"))
        .containsExactly("ACTION pin", "ACTION " + cluster.id(0) + " drain");
    assertThat(events("&kinds=CONSOLE_STARTED&limit=1", "carl")).hasSize(1);
    assertThat(events("&node=" + cluster.id(0), "carl"))
        .containsExactly("ACTION " + cluster.id(0) + " drain");
  }

  @Test
  void ordersThatAreNoneAreRefused() throws Exception {
    String[][] refused = {
      {"/alerts/acknowledge?rule=DiskOut", "404", "no such alert"},
      {"/alerts/acknowledge?rule=Nothing", "404", "no rule"},
      {"/alerts/mute?rule=MemoryPressure", "404", "its keys turn it off"},
      {"/alerts/mute?rule=DiskOut&minutes=0", "400", "minutes"},
      {"/alerts/mute?rule=DiskOut&label=node", "400", "name=value"},
      {"/alerts/mute", "400", "rule"},
    };
    for (String[] one : refused) {
      HttpResponse<String> answer = send("POST", one[0], "ada");
      assertThat(answer.statusCode()).as(one[0]).isEqualTo(Integer.parseInt(one[1]));
      assertThat(answer.body()).contains(one[2]);
      assertThat(send("POST", one[0], "carl").statusCode()).as(one[0]).isEqualTo(403);
    }
    assertThat(send("GET", "/events?from=0&to=1&kinds=NONE", "ada").statusCode()).isEqualTo(400);
    assertThat(send("GET", "/events?to=1", "ada").statusCode()).isEqualTo(400);
  }

  @Test
  void aTestIsDeliveredAndAReceiverThatIsGoneIsNamed() throws Exception {
    assertThat(send("POST", "/alerts/test", "ada").body()).contains("webhook: delivered.");
    assertThat(notified("ConsoleTest").at("/alerts/0/status").asText()).isEqualTo("resolved");
    receiver.stop();
    HttpResponse<String> answer = send("POST", "/alerts/test", "ada");
    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("cannot be reached").doesNotContain("s3cret");
    assertThat(body("/alerts", "ada")).doesNotContain("s3cret");
  }
}
