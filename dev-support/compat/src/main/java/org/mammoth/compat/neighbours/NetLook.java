// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.rmi.server.RMISocketFactory;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.net.NetUtils;

/** Defaults of the network classes, the JDK's and Hadoop's. */
final class NetLook {
  private NetLook() {}

  static void look(Report report) {
    report.tell("http.redirects", HttpURLConnection::getFollowRedirects);
    report.tell("http.caches", () -> connection().getDefaultUseCaches());
    report.tell("http.caches-file", () -> URLConnection.getDefaultUseCaches("file"));
    report.tell("http.interaction", URLConnection::getDefaultAllowUserInteraction);
    report.tell(
        "http.types", () -> URLConnection.getFileNameMap().getContentTypeFor("x." + Deed.MARK));
    report.tell("url.hdfs", () -> new URL("hdfs://localhost/x").getProtocol());
    report.tell("url.mark", () -> new URL("hostile://localhost/x").getProtocol());
    report.tell("authenticator", () -> Authenticator.getDefault() == null);
    report.tell("proxies", () -> ProxySelector.getDefault().getClass());
    report.tell(
        "proxies.chosen", () -> ProxySelector.getDefault().select(new URI("http://localhost/")));
    report.tell("cookies", () -> String.valueOf(CookieHandler.getDefault()));
    report.tell("responses", () -> String.valueOf(ResponseCache.getDefault()));
    report.tell("ssl.context", () -> SSLContext.getDefault().getProtocol());
    report.tell(
        "ssl.verifier",
        () -> HttpsURLConnection.getDefaultHostnameVerifier().getClass().getName().split("\\$")[0]);
    report.tell("ssl.sockets", () -> HttpsURLConnection.getDefaultSSLSocketFactory().getClass());
    report.tell("rmi", () -> String.valueOf(RMISocketFactory.getSocketFactory()));
    report.tell("rmi.failures", () -> String.valueOf(RMISocketFactory.getFailureHandler()));
    report.tell("net.static", () -> NetUtils.getStaticResolution("hostile.example"));
    report.tell("net.all-static", NetUtils::getAllStaticResolutions);
    report.tell("net.loopback", () -> InetAddress.getByName("127.0.0.1").getHostAddress());
    report.tell(
        "net.normalized",
        () -> NetUtils.normalizeHostNames(java.util.List.of("127.0.0.1", "192.0.2.7")));
  }

  private static URLConnection connection() throws java.io.IOException {
    return new URL("file:/").openConnection();
  }
}
