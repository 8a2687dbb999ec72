// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.shuffle.Collected;
import org.mammoth.engine.shuffle.Failures;
import org.mammoth.engine.shuffle.Leaks;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Recorder;
import org.mammoth.engine.shuffle.Rig;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.TestSource;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.ShuffleClient;

/** From the files of a node's configuration to who may fetch from whom. */
class HadoopTlsTest {

  private static final String SUITE = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
  private static final String OTHER_SUITE = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";

  @TempDir private static Path made;
  private static Path node;
  private static Path stranger;

  @TempDir private Path folder;
  private TestStores stores;
  private final Rig rig = new Rig();
  private final SegmentKey segment = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 50_000);
  private HadoopTls server;
  private HadoopTls client;

  @BeforeAll
  static void keys() throws Exception {
    TestStores all = new TestStores(made);
    node = all.key("node", TestStores.LOOPBACK);
    stranger = all.key("stranger", TestStores.LOOPBACK);
  }

  @BeforeEach
  void usualStores() throws Exception {
    stores = new TestStores(folder);
    stores.serverShows(node).clientTrusts(stores.trust("trusted", node));
  }

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
    if (server != null) {
      server.close();
    }
    if (client != null) {
      client.close();
    }
  }

  @AfterAll
  static void noLeaks() {
    Leaks.assertNone();
  }

  private void start(Configuration conf) throws Exception {
    conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    server = stores.onClassPath(() -> HadoopTls.ofServer(conf));
    client = stores.onClassPath(() -> HadoopTls.ofClient(conf));
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    rig.conf.setInt("mammoth.shuffle.probe.negative-ms", 1);
    rig.serverTls = () -> server;
    rig.clientTls = () -> client;
    rig.start();
  }

  private void fetches() throws Exception {
    Collected sink = new Collected();
    Failures.get(rig.client.fetch(rig.address, FetchRequest.whole(segment), sink).future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(segment, 0, 50_000));
  }

  private void isRefused(String why) throws Exception {
    int reads = rig.source.reads.get();
    ShuffleException failure =
        Failures.of(
            rig.client.fetch(rig.address, FetchRequest.whole(segment), new Collected()).future(),
            ShuffleException.class);
    assertThat(failure).hasMessageContaining(why);
    assertThat(failure.reason()).isEqualTo(Reason.TLS);
    assertThat(rig.source.reads).hasValue(reads);
  }

  /** A client that knows of no connection yet; the one before is closed. */
  private void connectAnew() {
    rig.client.close();
    rig.client =
        new ShuffleClient(
            ClientSettings.from(rig.conf),
            rig.clientSecrets::get,
            () -> client,
            rig.loops,
            rig.scheduler);
  }

  private void says(HadoopTlsTest.Opening side, Configuration conf, String... parts) {
    assertThatThrownBy(() -> stores.onClassPath(() -> side.open(conf)))
        .isInstanceOfSatisfying(
            ShuffleException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TLS))
        .hasMessageContaining("mapreduce.shuffle.ssl.enabled")
        .message()
        .contains(parts)
        .doesNotContain("\n");
  }

  private interface Opening {
    HadoopTls open(Configuration conf) throws ShuffleException;
  }

  @Test
  void theFilesOfStocksShuffleAreEnough() throws Exception {
    start(stores.write());
    fetches();
  }

  @Test
  void nothingOfASegmentIsSeenOnTheWire() throws Exception {
    start(stores.write());
    String plaintext = text(TestSource.bytes(segment, 0, 64));
    try (Recorder wire = new Recorder(rig.address)) {
      fetchOver(wire);
      assertThat(wire.heard()).hasSizeGreaterThan(50_000);
      assertThat(text(wire.heard())).doesNotContain(plaintext).doesNotContain("attempt_1_m_0");
      assertThat(text(wire.said())).doesNotContain(Rig.JOB).doesNotContain("attempt_1_m_0");
    }
    // The same without TLS, so that it is known what would have been seen.
    rig.client.close();
    rig.server.close();
    await().until(() -> rig.server.connections() == 0);
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", false);
    rig.start();
    try (Recorder wire = new Recorder(rig.address)) {
      fetchOver(wire);
      assertThat(text(wire.heard())).contains(plaintext).contains("attempt_1_m_0");
      assertThat(text(wire.said())).contains(Rig.JOB).contains("attempt_1_m_0");
    }
  }

  private void fetchOver(Recorder wire) throws Exception {
    Collected sink = new Collected();
    Failures.get(rig.client.fetch(wire.address(), FetchRequest.whole(segment), sink).future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(segment, 0, 50_000));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void passwordsMayBeInACredentialProvider() throws Exception {
    String provider = "localjceks://file" + folder.resolve("passwords.jceks");
    Configuration asked = new Configuration(false);
    asked.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, provider);
    CredentialProvider passwords = CredentialProviderFactory.getProviders(asked).get(0);
    passwords.createCredentialEntry(
        "ssl.server.keystore.password", TestStores.PASSWORD.toCharArray());
    passwords.flush();
    stores.server("keystore.password", "not this one");
    Configuration conf = stores.write();
    Path file = folder.resolve("ssl-server.xml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace(
                "</configuration>",
                "<property><name>"
                    + CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH
                    + "</name><value>"
                    + provider
                    + "</value></property></configuration>"));
    start(conf);
    fetches();
  }

  @Test
  void aStoreThatIsNotThereIsNamedWithItsKey() throws Exception {
    Configuration conf = stores.server("keystore.location", "/nowhere/key.jks").write();
    says(
        HadoopTls::ofServer,
        conf,
        "/nowhere/key.jks is not there",
        "ssl.server.keystore.location in " + folder.resolve("ssl-server.xml"));
    conf = stores.client("truststore.location", "/nowhere/trusted.jks").write();
    says(
        HadoopTls::ofClient,
        conf,
        "/nowhere/trusted.jks is not there",
        "ssl.client.truststore.location in " + folder.resolve("ssl-client.xml"));
  }

  @Test
  void whatIsNotConfiguredIsNamed() throws Exception {
    Configuration conf = new TestStores(folder).write();
    says(
        HadoopTls::ofServer,
        conf,
        "ssl.server.keystore.location is not set in " + folder.resolve("ssl-server.xml"));
    conf.set("hadoop.ssl.server.conf", "ssl-elsewhere.xml");
    says(
        HadoopTls::ofServer,
        conf,
        "ssl-elsewhere.xml (hadoop.ssl.server.conf) is not on the class path");
    Files.writeString(folder.resolve("ssl-broken.xml"), "<configuration>");
    conf.set("hadoop.ssl.server.conf", "ssl-broken.xml");
    says(HadoopTls::ofServer, conf, "ssl-broken.xml (hadoop.ssl.server.conf) cannot be read by");
  }

  @Test
  void aWrongPasswordIsSaid() throws Exception {
    says(
        HadoopTls::ofServer,
        stores.server("keystore.password", "wrong").write(),
        "Password verification failed",
        node.toString());
    says(
        HadoopTls::ofClient,
        stores.client("truststore.password", "wrong").write(),
        "Password verification failed",
        folder.resolve("trusted.jks").toString());
  }

  @Test
  void aProtocolThatJavaDoesNotHaveIsSaid() throws Exception {
    Configuration conf = stores.write();
    conf.set("hadoop.ssl.enabled.protocols", "TLSv9");
    says(HadoopTls::ofServer, conf, "TLSv9", "hadoop.ssl.*");
  }

  @Test
  void whoIsNotTrustedIsRefused() throws Exception {
    stores.clientTrusts(stores.trust("trusted", stranger));
    start(stores.write());
    isRefused("unable to find valid certification path");
  }

  @Test
  void aServerMayAskClientsForCertificates() throws Exception {
    stores
        .server("truststore.location", stores.trust("clients", node))
        .server("truststore.password", TestStores.PASSWORD)
        .client("keystore.location", node)
        .client("keystore.password", TestStores.PASSWORD);
    Configuration conf = stores.write();
    conf.setBoolean("hadoop.ssl.require.client.cert", true);
    start(conf);
    fetches();
    // The same client with another key.
    HadoopTls known = client;
    Configuration other = stores.client("keystore.location", stranger).write();
    other.setBoolean("hadoop.ssl.require.client.cert", true);
    client = stores.onClassPath(() -> HadoopTls.ofClient(other));
    connectAnew();
    isRefused("");
    // And one without.
    client.close();
    Configuration without = stores.write();
    client = stores.onClassPath(() -> HadoopTls.ofClient(without));
    connectAnew();
    isRefused("");
    client.close();
    client = known;
    connectAnew();
    fetches();
  }

  @Test
  void aCertificateOfAnotherHostIsRefusedUnlessAllAreAllowed() throws Exception {
    Path elsewhere = stores.key("elsewhere", "dns:elsewhere.example");
    stores.serverShows(elsewhere).clientTrusts(stores.trust("trusted", elsewhere));
    Configuration conf = stores.write();
    start(conf);
    isRefused("hadoop.ssl.hostname.verifier");
    client.close();
    conf.set("hadoop.ssl.hostname.verifier", "ALLOW_ALL");
    client = stores.onClassPath(() -> HadoopTls.ofClient(conf));
    connectAnew();
    fetches();
  }

  private static void replace(Path store, Path by) throws IOException {
    Path fresh = store.resolveSibling("fresh");
    Files.copy(by, fresh, StandardCopyOption.REPLACE_EXISTING);
    Files.move(fresh, store, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void aRenewedCertificateIsShownToTheNextConnection() throws Exception {
    Path ca = stores.key("ca", "dns:ca", "-ext", "bc:c");
    Path expired =
        stores.signed("expired", TestStores.LOOPBACK, ca, "-startdate", "-10d", "-validity", "5");
    Path renewed = stores.signed("renewed", TestStores.LOOPBACK, ca);
    Path shown = Files.copy(expired, folder.resolve("shown.jks"));
    Path trusted = stores.trust("trusted", ca);
    stores.serverShows(shown).clientTrusts(trusted);
    start(
        stores
            .server("stores.reload.interval", 50)
            .client("stores.reload.interval", 50)
            .client("truststore.reload.interval", 50)
            .write());
    isRefused("validity check failed");
    replace(shown, renewed);
    awaitFetch();
    // Who is trusted no more is refused from the next connection on, and trusted again.
    stores.trust("trusted", stranger);
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              connectAnew();
              isRefused("unable to find valid certification path");
            });
    stores.trust("trusted", ca);
    awaitFetch();
  }

  private void awaitFetch() {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              connectAnew();
              fetches();
            });
  }

  @Test
  void protocolsAndExcludedSuitesAreThoseOfTheConfiguration() throws Exception {
    Configuration conf = stores.server("exclude.cipher.list", SUITE).write();
    conf.set("hadoop.ssl.enabled.protocols", "TLSv1.2");
    start(conf);
    assertThat(handshake("TLSv1.2", OTHER_SUITE)).isEqualTo(OTHER_SUITE);
    assertThatThrownBy(() -> handshake("TLSv1.2", SUITE)).isInstanceOf(SSLHandshakeException.class);
    assertThatThrownBy(() -> handshake("TLSv1.3", "TLS_AES_128_GCM_SHA256"))
        .isInstanceOf(SSLHandshakeException.class);
  }

  private String handshake(String protocol, String suite) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        null,
        new TrustManager[] {
          io.netty.handler.ssl.util.InsecureTrustManagerFactory.INSTANCE.getTrustManagers()[0]
        },
        null);
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(rig.address.getAddress(), rig.address.getPort())) {
      socket.setSoTimeout(10_000);
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
      return socket.getSession().getCipherSuite();
    }
  }

  @Test
  void noSideFallsToClearText() throws Exception {
    start(stores.write());
    Configuration plain = new Configuration(rig.conf);
    plain.setBoolean("mapreduce.shuffle.ssl.enabled", false);
    plain.setInt("mammoth.shuffle.probe.timeout-ms", 300);
    rig.client.close();
    rig.client =
        new ShuffleClient(
            ClientSettings.from(plain),
            rig.clientSecrets::get,
            () -> null,
            rig.loops,
            rig.scheduler);
    assertThat(Failures.of(rig.client.probe(rig.address), ShuffleException.class).reason())
        .isEqualTo(Reason.BUSY);
    assertThat(rig.source.reads).hasValue(0);
    // The other way round: a server without TLS and a client that wants it.
    rig.server.close();
    await().until(() -> rig.server.connections() == 0);
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", false);
    rig.startServer();
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    connectAnew();
    isRefused("not an SSL/TLS record");
  }
}
