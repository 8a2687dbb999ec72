// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/** HTTPS, and a console below a path of a reverse proxy's. */
class TlsTest {

  private static final String PASSWORD = "of this test only";

  @TempDir static Path dir;
  private static Path keyStore;

  @BeforeAll
  static void makeCertificate() throws Exception {
    keyStore = dir.resolve("console.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "console",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                keyStore.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("keytool.out").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).as(Files.readString(dir.resolve("keytool.out"))).isZero();
  }

  private static HttpClient trusting(String... protocols) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      trusted.load(in, PASSWORD.toCharArray());
    }
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("console", trusted.getCertificate("console"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(certificates);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    HttpClient.Builder client = HttpClient.newBuilder().sslContext(context);
    if (protocols.length > 0) {
      SSLParameters parameters = new SSLParameters();
      parameters.setProtocols(protocols);
      client.sslParameters(parameters);
    }
    return client.build();
  }

  private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Console start(SimulatedCluster cluster, String name, boolean tls, String base)
      throws Exception {
    return ConsoleUnderTest.start(
        cluster,
        dir.resolve(name),
        conf -> {
          conf.set(ConsoleKeys.BASE_PATH.name(), base);
          if (tls) {
            conf.set(ConsoleKeys.KEYSTORE.name(), keyStore.toString());
            conf.set(ConsoleKeys.KEYSTORE_PASSWORD.name(), PASSWORD);
          }
        });
  }

  @Test
  void itSpeaksHttpsAndNothingElse() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(1, Clock.systemUTC());
        Console console = start(cluster, "tls", true, "/")) {
      assertThat(console.address()).isEqualTo("https://localhost:" + console.port() + "/");
      HttpClient client = trusting();
      HttpResponse<String> about = get(client, console.address() + "api/v1/about");
      assertThat(about.statusCode()).isEqualTo(200);
      assertThat(about.headers().firstValue("Strict-Transport-Security")).isPresent();
      assertThat(get(client, console.address()).body()).contains("<div id=\"root\">");
      assertThatThrownBy(() -> get(HttpClient.newHttpClient(), console.address()))
          .isInstanceOf(SSLHandshakeException.class);
      assertThatThrownBy(() -> get(trusting("TLSv1.1"), console.address()))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(
              () -> get(HttpClient.newHttpClient(), "http://localhost:" + console.port() + "/"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aWrongPasswordIsSaidAtTheStart() throws Exception {
    try (SimulatedCluster cluster = new SimulatedCluster(1, Clock.systemUTC())) {
      assertThatThrownBy(
              () ->
                  ConsoleUnderTest.start(
                      cluster,
                      dir.resolve("wrong"),
                      conf -> {
                        conf.set(ConsoleKeys.KEYSTORE.name(), keyStore.toString());
                        conf.set(ConsoleKeys.KEYSTORE_PASSWORD.name(), "another");
                      }))
          .hasMessageContaining("password");
    }
  }

  @Test
  void belowABasePathAllIsThereAndNothingBesideIt() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    try (SimulatedCluster cluster = new SimulatedCluster(1, Clock.systemUTC());
        Console console = start(cluster, "base", false, "gateway/mammoth/")) {
      String origin = "http://localhost:" + console.port();
      String base = origin + "/gateway/mammoth/";
      assertThat(console.address()).isEqualTo(base);
      HttpResponse<String> page = get(client, base);
      assertThat(page.statusCode()).isEqualTo(200);
      // All the page names is relative to itself, and there.
      Matcher names = Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(page.body());
      int found = 0;
      while (names.find()) {
        assertThat(names.group(1)).startsWith("./");
        assertThat(get(client, base + names.group(1).substring(2)).statusCode()).isEqualTo(200);
        found++;
      }
      assertThat(found).isGreaterThan(1);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> get(client, base + "api/v1/overview").body().contains("\"OK\":1"));
      assertThat(get(client, base + "metrics").statusCode()).isEqualTo(200);
      for (String beside : new String[] {"/", "/api/v1/about", "/metrics", "/gateway/"}) {
        assertThat(get(client, origin + beside).statusCode()).as(beside).isEqualTo(404);
      }
    }
  }
}
