// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

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
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/**
 * The document says all there is: each path answers, and no answer has a field it does not name.
 */
class OpenApiTest {

  @TempDir Path dir;

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();
  private Console console;
  private String cookie;

  private HttpResponse<String> send(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + console.port() + "/api/v1" + path);
    return http.send(
        HttpRequest.newBuilder(uri)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header(SecurityHeaders.CSRF_HEADER, "x")
            .header("Cookie", cookie)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void everyOperationIsDescribedAndEveryFieldToo() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(3, Clock.systemUTC());
        Console started =
            ConsoleUnderTest.start(
                cluster, dir, conf -> conf.set(ConsoleKeys.ACL_ADMIN.name(), "*"))) {
      console = started;
      cookie = ConsoleUnderTest.session(started, "dr.who");
      cluster.admins().admin("dr.who");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> send("GET", "/overview").body().contains("\"OK\":3"));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> send("GET", "/jobs").body().contains("job_1700000000000_0001"));
      JsonNode document = json.readTree(send("GET", "/openapi.json").body());
      Map<String, String> values =
          Map.ofEntries(
              Map.entry("engine", "engine-0-yarn"),
              Map.entry("node", cluster.id(0)),
              Map.entry("job", "job_1700000000000_0001"),
              Map.entry("find", "x"),
              Map.entry("a", "job_1700000000000_0001"),
              Map.entry("b", "job_1700000000000_0003"),
              Map.entry("action", "drain"),
              Map.entry("key", "cluster"),
              Map.entry("cause", "none"),
              Map.entry("path", "/x"),
              Map.entry("rule", "NodeUnreachable"),
              Map.entry("mute", "none"),
              Map.entry("from", "0"),
              Map.entry("to", String.valueOf(System.currentTimeMillis())));
      int answered = 0;
      for (Iterator<Map.Entry<String, JsonNode>> i = document.path("paths").fields();
          i.hasNext(); ) {
        Map.Entry<String, JsonNode> path = i.next();
        for (Iterator<Map.Entry<String, JsonNode>> m = path.getValue().fields(); m.hasNext(); ) {
          Map.Entry<String, JsonNode> operation = m.next();
          assertThat(operation.getValue().path("summary").asText()).isNotEmpty();
          if (path.getKey().equals("/stream")) {
            continue;
          }
          String method = operation.getKey().toUpperCase(java.util.Locale.ROOT);
          String url = fill(path.getKey(), operation.getValue(), values);
          HttpResponse<String> answer = send(method, url);
          assertThat(answer.statusCode()).as(url).isIn(200, 404);
          JsonNode schema =
              operation.getValue().at("/responses/200/content/application~1json/schema");
          if (answer.statusCode() == 200 && !schema.isMissingNode()) {
            check(document, schema, json.readTree(answer.body()), url);
            answered++;
          }
        }
      }
      assertThat(answered).isGreaterThanOrEqualTo(16);
      // What the code serves and what the document names are the same.
      assertThat(send("GET", "/nowhere").statusCode()).isEqualTo(404);
    }
  }

  private static String fill(String path, JsonNode operation, Map<String, String> values) {
    String url = path;
    StringBuilder query = new StringBuilder();
    for (JsonNode parameter : operation.path("parameters")) {
      String name = parameter.path("name").asText();
      if (parameter.path("in").asText().equals("path")) {
        assertThat(values).containsKey(name);
        url = url.replace("{" + name + "}", values.get(name));
      } else if (parameter.path("in").asText().equals("query")
          && parameter.path("required").asBoolean()) {
        assertThat(values).containsKey(name);
        query.append(query.length() == 0 ? '?' : '&').append(name).append('=');
        query.append(values.get(name));
      }
    }
    assertThat(url).doesNotContain("{");
    return url + query;
  }

  private static void check(JsonNode document, JsonNode schema, JsonNode value, String where) {
    if (schema.has("$ref")) {
      JsonNode named = document.at(schema.path("$ref").asText().substring(1));
      assertThat(named.isMissingNode()).as(where).isFalse();
      check(document, named, value, where);
    } else if (value.isNull()) {
      return;
    } else if (schema.path("type").asText().equals("array")) {
      assertThat(value.isArray()).as(where).isTrue();
      value.forEach(each -> check(document, schema.path("items"), each, where + "[]"));
    } else if (schema.has("properties")) {
      assertThat(value.isObject()).as(where).isTrue();
      for (Iterator<Map.Entry<String, JsonNode>> i = value.fields(); i.hasNext(); ) {
        Map.Entry<String, JsonNode> field = i.next();
        JsonNode property = schema.path("properties").path(field.getKey());
        assertThat(property.isMissingNode()).as(where + "." + field.getKey()).isFalse();
        check(document, property, field.getValue(), where + "." + field.getKey());
      }
    } else if (schema.has("additionalProperties")) {
      value.forEach(
          each -> check(document, schema.path("additionalProperties"), each, where + ".*"));
    } else {
      String kind = schema.path("type").asText();
      boolean fits =
          switch (kind) {
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "string" -> value.isTextual();
            default -> false;
          };
      assertThat(fits).as(where + " is " + value + ", not " + kind).isTrue();
    }
  }
}
