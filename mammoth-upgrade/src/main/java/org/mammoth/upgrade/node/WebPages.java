// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.List;
import java.util.stream.Stream;
import org.mammoth.upgrade.tree.SiteConfig;

/**
 * What the daemons' own web pages say as JSON. Any thread; a call waits five seconds for a
 * connection and for an answer each.
 */
public final class WebPages {

  private static final int TIMEOUT_MS = 5_000;
  private static final String ANY = "0.0.0.0";

  private final SiteConfig conf;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * @param conf what the NodeManager reads
   */
  public WebPages(SiteConfig conf) {
    this.conf = conf;
  }

  private boolean isHttps() {
    return conf.get("yarn.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY");
  }

  /** Host and port of the NodeManager's pages. */
  public String nodeManager() {
    return isHttps()
        ? local(
            conf.get("yarn.nodemanager.webapp.https.address", "${yarn.nodemanager.hostname}:8044"))
        : local(conf.get("yarn.nodemanager.webapp.address", "${yarn.nodemanager.hostname}:8042"));
  }

  /** Hosts and ports of the ResourceManagers' pages; more than one with high availability. */
  public List<String> resourceManagers() {
    String key = "yarn.resourcemanager.webapp." + (isHttps() ? "https.address" : "address");
    int port = isHttps() ? 8090 : 8088;
    List<String> ids = conf.list("yarn.resourcemanager.ha.rm-ids", "");
    if (ids.isEmpty()) {
      return List.of(local(conf.get(key, "${yarn.resourcemanager.hostname}:" + port)));
    }
    return ids.stream()
        .flatMap(
            id ->
                Stream.of(
                    local(
                        conf.get(
                            key + "." + id,
                            conf.get("yarn.resourcemanager.hostname." + id, ANY) + ":" + port))))
        .toList();
  }

  /** Where the NodeManager takes orders about its engines, given the port. */
  public String orders(int port) {
    String address = conf.get("yarn.nodemanager.address", "${yarn.nodemanager.hostname}:0");
    String bind = conf.get("yarn.nodemanager.bind-host", address.replaceFirst(":\\d*$", ""));
    return local(bind + ":" + port);
  }

  /** An address under which this host reaches what listens on all of its addresses. */
  public static String local(String address) {
    return address.startsWith(ANY + ":") ? "127.0.0.1" + address.substring(ANY.length()) : address;
  }

  /**
   * An attribute of a bean of the NodeManager; missing if it has no such bean.
   *
   * @throws IOException if the NodeManager does not answer
   */
  public JsonNode attribute(String bean, String name) throws IOException {
    try {
      return get(nodeManager(), "/jmx?get=" + bean + "::" + name).path("beans").path(0).path(name);
    } catch (FileNotFoundException none) {
      return MissingNode.getInstance();
    }
  }

  /**
   * A page as JSON.
   *
   * @throws IOException if it cannot be had; the message has the address
   */
  public JsonNode get(String address, String path) throws IOException {
    URL url = new URL((isHttps() ? "https://" : "http://") + address + path);
    try {
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      connection.setRequestProperty("Accept", "application/json");
      try (InputStream body = connection.getInputStream()) {
        return json.readTree(body);
      }
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(address + " does not answer: " + e.getMessage(), e);
    }
  }
}
