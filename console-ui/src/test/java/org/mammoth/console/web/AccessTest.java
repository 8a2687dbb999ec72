// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.HandlerWrapper;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/** Who may see and do what; what a browser is told; what nonsense is answered with. */
class AccessTest {

  private static final String JOB1 = "job_1700000000000_0001";
  private static final String JOB2 = "job_1700000000000_0002";

  @TempDir static Path dir;
  private static SimulatedCluster cluster;
  private static Console console;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Map<String, String> SESSIONS = new HashMap<>();
  private final ObjectMapper json = new ObjectMapper();

  @BeforeAll
  static void start() throws Exception {
    cluster = new SimulatedCluster(3, Clock.systemUTC());
    cluster.admins().admin("root");
    console =
        ConsoleUnderTest.start(
            cluster,
            dir,
            conf -> {
              conf.set(ConsoleKeys.ACL_ADMIN.name(), "root");
              conf.set(ConsoleKeys.ACL_VIEW.name(), "olga");
              conf.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
            });
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> send("GET", "/api/v1/jobs", "root").body().contains(JOB2));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> send("GET", "/api/v1/overview", "root").body().contains("\"OK\":3"));
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
    cluster.close();
  }

  private static HttpResponse<String> send(String method, String path, String user)
      throws Exception {
    return send(method, path, user, true);
  }

  private static HttpResponse<String> send(String method, String path, String user, boolean csrf)
      throws Exception {
    String who = user == null ? "" : (path.contains("?") ? "&" : "?") + "user.name=" + user;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + path + who))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (user != null) {
      String cookie = SESSIONS.computeIfAbsent(user, u -> ConsoleUnderTest.session(console, u));
      request.header("Cookie", cookie);
    }
    if (csrf) {
      request.header(SecurityHeaders.CSRF_HEADER, "x");
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void nobodyUnnamedGetsIn() throws Exception {
    for (String path :
        new String[] {"/", "/metrics", "/api/v1/overview", "/api/v1/stream", "/api/v1/x"}) {
      assertThat(send("GET", path, null).statusCode()).as(path).isEqualTo(401);
    }
  }

  @Test
  void theMatrixOfRights() throws Exception {
    String node = "/api/v1/nodes/" + cluster.id(0);
    String span = "&from=0&to=1";
    Object[][] matrix = {
      // path, administrator, sees all, owner of the first job, stranger
      {"GET", "/api/v1/overview", 200, 200, 200, 200},
      {"GET", "/api/v1/nodes", 200, 200, 200, 200},
      {"GET", node, 200, 200, 200, 200},
      {"GET", "/api/v1/jobs/" + JOB1, 200, 200, 200, 403},
      {"GET", "/api/v1/jobs/" + JOB2, 200, 200, 403, 403},
      {"GET", "/api/v1/series?key=job%7C" + JOB1 + span, 200, 200, 200, 403},
      {"GET", "/api/v1/series?key=nodejob%7Cn%7C" + JOB2 + span, 200, 200, 403, 403},
      {"GET", "/api/v1/cache", 200, 200, 403, 403},
      {"GET", "/api/v1/cache/datasets", 200, 200, 200, 200},
      {"GET", "/api/v1/cache/whatif", 200, 200, 200, 200},
      {"GET", "/api/v1/jobs/" + JOB2 + "/earlier", 200, 200, 403, 403},
      {"POST", node + "/bundle", 200, 403, 403, 403},
      {"GET", node + "/configuration", 200, 403, 403, 403},
      {"GET", node + "/threads", 200, 403, 403, 403},
      {"POST", node + "/actions/drain", 200, 403, 403, 403},
      {"POST", "/api/v1/cache/actions/evict?path=/x", 200, 403, 403, 403},
    };
    String[] users = {"root", "olga", "alice", "stranger"};
    for (Object[] row : matrix) {
      for (int u = 0; u < users.length; u++) {
        assertThat(send((String) row[0], (String) row[1], users[u]).statusCode())
            .as(row[0] + " " + row[1] + " by " + users[u])
            .isEqualTo(row[2 + u]);
      }
    }
  }

  @Test
  void othersJobsAreNowhereInWhatAUserGets() throws Exception {
    for (String path :
        new String[] {
          "/api/v1/jobs",
          "/api/v1/overview",
          "/api/v1/nodes/" + cluster.id(0),
          "/api/v1/decisions?node=" + cluster.id(0) + "&from=0&to=4000000000000"
        }) {
      String body = send("GET", path, "alice").body();
      assertThat(body).as(path).contains("_0001").doesNotContain("1700000000000_0002");
      assertThat(body).as(path).doesNotContain("bob");
      assertThat(send("GET", path, "stranger").body()).as(path).doesNotContain("1700000000000_000");
    }
  }

  @Test
  void secretsAreMasked() throws Exception {
    String body = send("GET", "/api/v1/nodes/" + cluster.id(0) + "/configuration", "root").body();
    assertThat(body).contains("fs.s3a.secret.key").doesNotContain("hush");
  }

  @Test
  void actionsNeedTheHeaderAndAreAudited() throws Exception {
    String path = "/api/v1/nodes/" + cluster.id(0) + "/actions/recycle";
    assertThat(send("POST", path, "root", false).statusCode()).isEqualTo(403);
    HttpResponse<String> answer = send("POST", path, "root");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("a new engine is starting");
    assertThat(send("POST", path, "mallory").statusCode()).isEqualTo(403);
    assertThat(Files.readString(dir.resolve("audit.log")))
        .contains("\"user\":\"root\"", "\"user\":\"mallory\"", "actions/recycle", "\"status\":403");
    assertThat(send("DELETE", path, "root").statusCode()).isEqualTo(405);
    assertThat(send("TRACE", "/", "root").statusCode()).isEqualTo(405);
  }

  @Test
  void whatIsReadOfDaemonsIsAudited() throws Exception {
    String node = "/api/v1/nodes/" + cluster.id(0);
    send("GET", node + "/configuration", "root");
    send("GET", node + "/threads", "olga");
    assertThat(Files.readAllLines(dir.resolve("audit.log")))
        .anyMatch(
            line ->
                line.contains("root")
                    && line.contains(
                        "/configuration\",\"subject\":\"\",\"state\":\"about to be done"))
        .anyMatch(
            line ->
                line.contains("root")
                    && line.contains("/configuration\",\"subject\":\"\",\"status\":200"))
        .anyMatch(
            line -> line.contains("olga") && line.contains("/threads") && line.contains("403"));
  }

  /**
   * An order that cannot be noted is not carried out; it is once there is room, without a restart.
   */
  @Test
  void noOrderIsCarriedOutThatTheAuditLogDoesNotTake() throws Exception {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full));
    Path own = Files.createDirectory(dir.resolve("full"));
    Path log = Files.createSymbolicLink(own.resolve("audit.log"), full);
    AuditLog audit = new AuditLog(log, Clock.systemUTC());
    AtomicInteger done = new AtomicInteger();
    Route order =
        new Route(
            "POST",
            "/order",
            Route.Right.ADMIN,
            "",
            List.of(),
            null,
            call -> Map.of("done", done.incrementAndGet()));
    Configuration conf = new Configuration(false);
    conf.set(ConsoleKeys.ACL_ADMIN.name(), "*");
    conf.set("hadoop.http.authentication.type", "kerberos");
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(
        new ServletHolder(new ApiServlet(List.of(order), new AccessControl(conf, own), audit)),
        "/api/v1/*");
    HandlerWrapper proven =
        new HandlerWrapper() {
          @Override
          public void handle(
              String target, Request base, HttpServletRequest asked, HttpServletResponse answer)
              throws IOException, ServletException {
            asked.setAttribute(Authentication.class.getName() + ".proven", true);
            super.handle(target, base, asked, answer);
          }
        };
    proven.setHandler(context);
    server.setHandler(proven);
    server.start();
    try {
      HttpRequest post =
          HttpRequest.newBuilder(server.getURI().resolve("/api/v1/order"))
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> refused = HTTP.send(post, HttpResponse.BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("nothing was done", "No space left");
      assertThat(done).hasValue(0);
      Files.delete(log);
      assertThat(HTTP.send(post, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      assertThat(done).hasValue(1);
      assertThat(Files.readAllLines(log)).hasSize(2);
    } finally {
      server.stop();
      audit.close();
    }
  }

  @Test
  void browsersAreTold() throws Exception {
    for (String path : new String[] {"/", "/api/v1/about", "/nothing", "/metrics"}) {
      var headers = send("GET", path, "olga").headers();
      assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
          .as(path)
          .contains("default-src 'none'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(headers.firstValue("X-Frame-Options")).hasValue("DENY");
      assertThat(headers.firstValue("Referrer-Policy")).hasValue("no-referrer");
      assertThat(headers.firstValue("Server")).isEmpty();
    }
  }

  @Test
  void nonsenseIsAnsweredWithAClearRefusal() throws Exception {
    Random random = new Random(11);
    String[] paths = {
      "/api/v1/series", "/api/v1/decisions", "/api/v1/nodes/", "/api/v1/jobs/", "/api/v1/",
    };
    String[] names = {"key", "from", "to", "points", "node", "limit", "nonsense"};
    String alphabet = "0123456789-|/.%\\'\"<>{}\u0000\n\u00e9x ";
    for (int i = 0; i < 400; i++) {
      StringBuilder path = new StringBuilder(paths[random.nextInt(paths.length)]);
      for (int n = random.nextInt(5); n >= 0; n--) {
        StringBuilder text = new StringBuilder();
        for (int c = random.nextInt(24); c > 0; c--) {
          text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        path.append(path.indexOf("?") < 0 ? '?' : '&');
        path.append(names[random.nextInt(names.length)]).append('=');
        path.append(URLEncoder.encode(text.toString(), StandardCharsets.UTF_8));
      }
      HttpResponse<String> answer = send("GET", path.toString(), "olga");
      assertThat(answer.statusCode()).as(path.toString()).isBetween(400, 499);
      JsonNode body = json.readTree(answer.body());
      assertThat(body.path("error").asText()).as(path.toString()).isNotEmpty();
      assertThat(answer.body()).doesNotContain("Exception", "org.mammoth", "at java");
    }
  }

  @Test
  void noPathLeadsOutOfThePage() throws Exception {
    for (String path :
        new String[] {
          "/../../../etc/passwd",
          "/..%2f..%2fetc/passwd",
          "/assets/%2e%2e/%2e%2e/org/mammoth/console/Console.class",
          "/assets/..;/..;/Console.class",
          "/%2e%2e/Console.class",
          "/assets/",
          "/META-INF/MANIFEST.MF"
        }) {
      // A raw socket: clients tidy such paths up.
      try (Socket socket = new Socket("127.0.0.1", console.port())) {
        OutputStream out = socket.getOutputStream();
        out.write(
            ("GET " + path + "?user.name=olga HTTP/1.0\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(answer).as(path).matches("(?s)HTTP/1.1 4\\d\\d .*");
      }
    }
  }

  @Test
  void itDoesNotListenToEveryoneUnlessToldSo() {
    Configuration conf = new Configuration(false);
    conf.set(ConsoleKeys.BIND_HOST.name(), "0.0.0.0");
    assertThatThrownBy(() -> AccessControl.checkBinding(conf))
        .hasMessageContaining("hadoop.http.authentication.type")
        .hasMessageContaining("mammoth.console.allow-unauthenticated");
    conf.set("hadoop.http.authentication.type", "kerberos");
    AccessControl.checkBinding(conf);
    conf.set("hadoop.http.authentication.type", "simple");
    conf.set(ConsoleKeys.ALLOW_UNAUTHENTICATED.name(), "true");
    AccessControl.checkBinding(conf);
    conf.set(ConsoleKeys.ALLOW_UNAUTHENTICATED.name(), "false");
    conf.set(ConsoleKeys.BIND_HOST.name(), "127.0.0.1");
    AccessControl.checkBinding(conf);
  }
}
