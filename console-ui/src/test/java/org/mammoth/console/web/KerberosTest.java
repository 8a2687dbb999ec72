// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/** SPNEGO against a key distribution centre of the test's own. */
class KerberosTest {

  @TempDir Path dir;

  @Test
  void aTicketOpensAndNothingElseDoes() throws Exception {
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), dir.toFile());
    kdc.start();
    try (SimulatedCluster cluster = new SimulatedCluster(2, Clock.systemUTC())) {
      File service = dir.resolve("http.keytab").toFile();
      File client = dir.resolve("alice.keytab").toFile();
      kdc.createPrincipal(service, "HTTP/localhost");
      kdc.createPrincipal(client, "alice");
      Path secret = Files.writeString(dir.resolve("secret"), "not so secret, but long enough");
      Configuration secure = new Configuration(false);
      secure.set("hadoop.security.authentication", "kerberos");
      UserGroupInformation.setConfiguration(secure);
      KerberosName.setRules("DEFAULT");
      try (Console console =
          ConsoleUnderTest.start(
              cluster,
              dir.resolve("console"),
              conf -> {
                conf.set("hadoop.http.authentication.type", "kerberos");
                conf.set(
                    "hadoop.http.authentication.kerberos.principal",
                    "HTTP/localhost@" + kdc.getRealm());
                conf.set("hadoop.http.authentication.kerberos.keytab", service.getPath());
                conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
                conf.set(ConsoleKeys.ACL_VIEW.name(), "nobody");
              })) {
        URL url = new URL("http://localhost:" + console.port() + "/api/v1/about");
        HttpURLConnection bare = (HttpURLConnection) url.openConnection();
        assertThat(bare.getResponseCode()).isEqualTo(401);
        assertThat(bare.getHeaderField("WWW-Authenticate")).startsWith("Negotiate");
        HttpURLConnection claimed =
            (HttpURLConnection) new URL(url + "?user.name=alice").openConnection();
        assertThat(claimed.getResponseCode()).isEqualTo(401);

        UserGroupInformation alice =
            UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                "alice@" + kdc.getRealm(), client.getPath());
        await().atMost(Duration.ofSeconds(20)).until(() -> about(alice, url).contains("alice"));
        assertThat(about(alice, url))
            .contains("\"user\":\"alice\"", "\"admin\":false", "\"all\":false");
      }
    } finally {
      kdc.stop();
      UserGroupInformation.reset();
    }
  }

  private static String about(UserGroupInformation user, URL url) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<String>)
            () -> {
              HttpURLConnection connection =
                  new AuthenticatedURL().openConnection(url, new AuthenticatedURL.Token());
              return new String(connection.getInputStream().readAllBytes());
            });
  }
}
