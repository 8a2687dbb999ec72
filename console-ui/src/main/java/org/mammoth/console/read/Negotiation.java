// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.api.Authentication;
import org.eclipse.jetty.client.util.SPNEGOAuthentication;
import org.mammoth.console.config.ConsoleKeys;

/** SPNEGO towards the daemons, as the console's own principal. */
public final class Negotiation {

  private Negotiation() {}

  /** Prepares a client, if a principal is configured. */
  public static void install(HttpClient client, Configuration conf) throws IOException {
    String principal = ConsoleKeys.KERBEROS_PRINCIPAL.get(conf);
    String keytab = ConsoleKeys.KERBEROS_KEYTAB.get(conf);
    if (principal.isEmpty()) {
      return;
    }
    if (keytab.isEmpty()) {
      throw new IllegalArgumentException(
          ConsoleKeys.KERBEROS_PRINCIPAL.name()
              + " is set, but "
              + ConsoleKeys.KERBEROS_KEYTAB.name()
              + " is not");
    }
    SPNEGOAuthentication everywhere =
        new SPNEGOAuthentication(URI.create("http://any")) {
          @Override
          public boolean matches(String type, URI uri, String realm) {
            // Requests go to admitted origins only, see ClusterHttp.
            return getType().equalsIgnoreCase(type);
          }
        };
    everywhere.setUserName(SecurityUtil.getServerPrincipal(principal, ""));
    everywhere.setUserKeyTabPath(Path.of(keytab));
    everywhere.setServiceName("HTTP");
    Authentication authentication = everywhere;
    client.getAuthenticationStore().addAuthentication(authentication);
  }
}
