// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.console.config.AlertKeys;

/** What a webhook receiver gets, over HTTP. */
class WebhookTest {

  private final BlockingQueue<String> got = new LinkedBlockingQueue<>();
  private final Server server = new Server(0);
  private volatile int status = 200;
  private Channel webhook;

  @BeforeEach
  void start() throws Exception {
    server.setHandler(
        new AbstractHandler() {
          @Override
          public void handle(
              String target, Request base, HttpServletRequest request, HttpServletResponse response)
              throws IOException {
            base.setHandled(true);
            String body =
                new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            got.add(
                String.join(
                    " ",
                    request.getMethod(),
                    target,
                    request.getContentType(),
                    request.getHeader("Authorization"),
                    body));
            response.setStatus(status);
            if (status == 302) {
              response.setHeader("Location", "/elsewhere");
            }
          }
        });
    server.start();
    webhook = webhook(origin() + "/hook/s3cret");
  }

  private String origin() {
    return "http://127.0.0.1:" + ((ServerConnector) server.getConnectors()[0]).getLocalPort();
  }

  private static Channel webhook(String address) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(AlertKeys.WEBHOOK.name(), address);
    conf.set(AlertKeys.WEBHOOK_AUTHORIZATION.name(), "Bearer t0ken");
    Channel made = Webhook.of(conf);
    made.start();
    return made;
  }

  @AfterEach
  void stop() throws Exception {
    webhook.close();
    server.stop();
  }

  private static Notification notification() {
    AlertRule rule =
        new AlertRule(
            "NodeUnreachable",
            Severity.CRITICAL,
            "nodes",
            0,
            "",
            "Look at it.",
            List.of("k.k"),
            (facts, found) -> {});
    Finding first = new Finding(Map.of("node", "n1:8042"), "n1:8042 is ill", "refused.", 0);
    Finding second = new Finding(Map.of("node", "n2:8042"), "n2:8042 is ill", "refused.", 0);
    return Notification.of(
        "NodeUnreachable",
        List.of(
            Alert.pending(rule, first, Scene.START).fired(Scene.START + 1),
            Alert.pending(rule, second, Scene.START)
                .fired(Scene.START + 1)
                .resolved(Scene.START + 60_000)),
        0,
        true,
        "http://console/");
  }

  @Test
  void theBodyIsThatOfAlertmanagersVersion4() throws Exception {
    webhook.send(notification()).get(20, TimeUnit.SECONDS);
    String request = got.poll(1, TimeUnit.SECONDS);
    assertThat(request).startsWith("POST /hook/s3cret application/json Bearer t0ken {");
    JsonNode body = new ObjectMapper().readTree(request.substring(request.indexOf('{')));
    String expected =
        """
        {"version":"4","groupKey":"{}:{alertname=\\"NodeUnreachable\\"}","truncatedAlerts":0,
         "status":"firing","receiver":"mammoth-console",
         "groupLabels":{"alertname":"NodeUnreachable"},
         "commonLabels":{"alertname":"NodeUnreachable","severity":"critical"},
         "commonAnnotations":{"description":"refused. Look at it. When it fires: k.k."},
         "externalURL":"http://console/",
         "alerts":[
          {"status":"firing",
           "labels":{"alertname":"NodeUnreachable","node":"n1:8042","severity":"critical"},
           "annotations":{"summary":"n1:8042 is ill",
            "description":"refused. Look at it. When it fires: k.k."},
           "startsAt":"2023-11-14T22:13:20.001Z","endsAt":"0001-01-01T00:00:00Z",
           "generatorURL":
            "http://console/#/nodes?from=1699999100000&to=1700000900001&node=n1%3A8042",
           "fingerprint":"FIRST"},
          {"status":"resolved",
           "labels":{"alertname":"NodeUnreachable","node":"n2:8042","severity":"critical"},
           "annotations":{"summary":"n2:8042 is ill",
            "description":"refused. Look at it. When it fires: k.k."},
           "startsAt":"2023-11-14T22:13:20.001Z","endsAt":"2023-11-14T22:14:20Z",
           "generatorURL":
            "http://console/#/nodes?from=1699999100000&to=1700000900001&node=n2%3A8042",
           "fingerprint":"SECOND"}]}
        """
            .replace("FIRST", notification().alerts().get(0).fingerprint())
            .replace("SECOND", notification().alerts().get(1).fingerprint());
    assertThat(body).isEqualTo(new ObjectMapper().readTree(expected));
    assertThat(notification().alerts().get(0).fingerprint()).matches("[0-9a-f]{16}");
  }

  @Test
  void whatIsNotAcceptedIsSaidWithoutTheSecretsOfTheAddress() throws Exception {
    for (int refused : new int[] {302, 404, 503}) {
      status = refused;
      assertThatThrownBy(() -> webhook.send(notification()).get(20, TimeUnit.SECONDS))
          .hasMessageContaining(origin() + " answers " + refused)
          .hasMessageNotContaining("s3cret");
    }
    assertThat(got).as("a redirect is not followed").hasSize(3);
    server.stop();
    assertThatThrownBy(() -> webhook.send(notification()).get(20, TimeUnit.SECONDS))
        .hasMessageContaining("cannot be reached")
        .hasMessageNotContaining("s3cret");
    assertThat(webhook.target()).doesNotContain("s3cret");
  }

  @Test
  void anAddressThatIsNoneIsRefusedWithItsKeyAndNotRepeated() {
    for (String bad : List.of("s3cret", "ftp://s3cret/", "http://a b/s3cret", "https:///s3cret")) {
      assertThatThrownBy(() -> webhook(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("mammoth.console.alert.webhook")
          .hasMessageNotContaining("s3cret");
    }
  }
}
