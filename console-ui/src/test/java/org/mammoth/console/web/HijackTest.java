// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.StringWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/** What a web page elsewhere can have a browser send to a console on loopback. */
class HijackTest {

  @TempDir static Path dir;
  private static final StringWriter LOGGED = new StringWriter();
  private static final WriterAppender APPENDER = new WriterAppender(new SimpleLayout(), LOGGED);
  private static final Logger LOGGER = Logger.getLogger("org.mammoth.console");
  private static SimulatedCluster cluster;
  private static Console console;

  @BeforeAll
  static void start() throws Exception {
    LOGGER.setLevel(Level.INFO);
    LOGGER.addAppender(APPENDER);
    cluster = new SimulatedCluster(2, Clock.systemUTC());
    cluster.admins().admin("root");
    console =
        ConsoleUnderTest.start(
            cluster,
            dir,
            conf -> {
              conf.set(ConsoleKeys.ACL_ADMIN.name(), "root");
              conf.set(ConsoleKeys.HOSTS.name(), "console.example.org, https://gate:8443");
            });
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> get("/api/v1/overview", local()).contains("\"OK\":2"));
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
    cluster.close();
    LOGGER.removeAppender(APPENDER);
    LOGGER.setLevel(null);
  }

  @Test
  void whatTheConsoleLogsAtItsStartOpensNoSession() {
    assertThat(LOGGED.toString()).contains("login-url").doesNotContain("token=");
  }

  private static String local() {
    return "Host: localhost:" + console.port();
  }

  private static String get(String path, String... headers) throws Exception {
    return send("GET", path, headers);
  }

  /** A raw socket: clients write Host and Origin themselves. */
  private static String send(String method, String path, String... headers) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", console.port())) {
      String request =
          method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n";
      socket
          .getOutputStream()
          .write((request + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static int status(String answer) {
    return Integer.parseInt(answer.split(" ", 3)[1]);
  }

  @Test
  void aNameThatWasReboundIsNotAnswered() throws Exception {
    for (String path :
        new String[] {"/", "/api/v1/about", "/api/v1/stream", "/metrics", "/assets", "/icon.svg"}) {
      for (String host :
          new String[] {
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "localhost@evil.example",
            "169.254.1.1",
            ""
          }) {
        String answer = get(path, "Host: " + host + ":" + console.port());
        assertThat(status(answer)).as(path + " of " + host).isBetween(400, 403);
        assertThat(answer).doesNotContain("<html").doesNotContain("OK\":2");
      }
    }
    for (String host :
        new String[] {"localhost", "LOCALHOST", "127.0.0.1", "console.example.org"}) {
      assertThat(status(get("/api/v1/about", "Host: " + host + ":1"))).as(host).isEqualTo(200);
    }
    assertThat(status(get("/api/v1/about", "Host: gate:8443"))).isEqualTo(200);
  }

  @Test
  void aPageOfAnotherOriginIsRefused() throws Exception {
    for (String origin :
        new String[] {"http://evil.example", "null", "http://localhost:1", "https://gate:1"}) {
      assertThat(status(get("/api/v1/about", local(), "Origin: " + origin)))
          .as(origin)
          .isEqualTo(403);
      String answer =
          send(
              "POST",
              "/api/v1/cache/actions/evict?path=/",
              local(),
              "Origin: " + origin,
              "X-XSRF-HEADER: x",
              "Content-Length: 0");
      assertThat(answer).as(origin).contains("another origin");
    }
    String own = "Origin: http://localhost:" + console.port();
    assertThat(status(get("/api/v1/about", local(), own))).isEqualTo(200);
    assertThat(status(get("/api/v1/about", local(), "Origin: https://gate:8443"))).isEqualTo(200);
    assertThat(
            status(
                get(
                    "/api/v1/about",
                    local(),
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Mode: no-cors")))
        .isEqualTo(403);
    assertThat(status(get("/", local(), "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")))
        .isEqualTo(200);
  }

  @Test
  void aClaimedNameIsNoAdministrator() throws Exception {
    String node = "/api/v1/nodes/" + cluster.id(0);
    String[] admin = {
      node + "/configuration?user.name=root", node + "/threads?user.name=root",
    };
    for (String path : admin) {
      String answer = get(path, local());
      assertThat(status(answer)).isEqualTo(403);
      assertThat(answer).contains("only a claimed name", "login-url").doesNotContain("Thread 1");
    }
    String evict = "/api/v1/cache/actions/evict?path=/x&user.name=";
    assertThat(status(act(evict + "root", ""))).isEqualTo(403);
    assertThat(cluster.admins().orders()).doesNotContain("root evict /x");
    String olga = ConsoleUnderTest.session(console, "olga");
    assertThat(status(act(evict + "root", olga))).as("another's session").isEqualTo(403);
    String root = ConsoleUnderTest.session(console, "root");
    assertThat(status(act(evict + "root", root))).isEqualTo(200);
    assertThat(status(act("/api/v1/cache/actions/evict?path=/x", root))).isEqualTo(200);
    assertThat(status(act(evict + "root&doAs=olga", root))).isEqualTo(403);
    assertThat(status(act(evict + "root", root + "x"))).isEqualTo(403);
    assertThat(status(get(node + "/threads", local(), "Cookie: " + root))).isEqualTo(200);
  }

  private static String act(String path, String cookie) throws Exception {
    return send(
        "POST", path, local(), "X-XSRF-HEADER: x", "Content-Length: 0", "Cookie: " + cookie);
  }

  @Test
  void aTokenOpensOneSessionThatOnlyTheOwnPageSends() throws Exception {
    String query = console.loginAddress().replaceFirst(".*\\?", "");
    assertThat(Files.readString(console.loginFile())).isEqualTo(console.loginAddress() + "\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(console.loginFile())))
        .isEqualTo("rw-------");
    assertThat(status(get("/?token=guess", local()))).isEqualTo(403);
    String answer = get("/?" + query, local());
    assertThat(status(answer)).isEqualTo(303);
    assertThat(answer)
        .contains("Location: /\r\n", "; Path=/; HttpOnly; SameSite=Strict\r\n")
        .contains("Referrer-Policy: no-referrer");
    assertThat(get("/?" + query, local())).contains("403", "was used before");
    assertThat(Files.readString(console.loginFile())).doesNotContain(query);
    String simple = get("/api/v1/about?user.name=olga", local());
    assertThat(simple).contains("hadoop.auth=").containsPattern("hadoop.auth=.*SameSite=Strict");
  }

  @Test
  void noRedirectLeadsToWhereTheHostHeaderSays() throws Exception {
    for (String path :
        new String[] {"/assets", "/assets/", "//evil.example/assets", "/assets?x=1"}) {
      String answer = get(path, "Host: localhost:1");
      assertThat(answer).as(path).doesNotContain("localhost:1").doesNotContain("://");
      assertThat(answer).as(path).doesNotContainPattern("(?i)location: //");
    }
  }

  @Test
  void aBodyIsNotWaitedFor() throws Exception {
    assertThat(
            status(
                send(
                    "POST",
                    "/api/v1/cache/actions/evict?path=/",
                    local(),
                    "X-XSRF-HEADER: x",
                    "Content-Type: application/x-www-form-urlencoded",
                    "Content-Length: 1000")))
        .isEqualTo(403);
  }

  @Test
  void anEntryThatIsNoNameIsSaidAtTheStart() {
    for (String entry :
        new String[] {"http://", "a b/c", "ftp://x", "https://gate/path", "x:y:z"}) {
      Configuration conf = new Configuration(false);
      conf.set(ConsoleKeys.HOSTS.name(), entry);
      assertThatThrownBy(() -> new HostNames(conf))
          .as(entry)
          .hasMessageContaining("mammoth.console.hosts");
    }
  }
}
