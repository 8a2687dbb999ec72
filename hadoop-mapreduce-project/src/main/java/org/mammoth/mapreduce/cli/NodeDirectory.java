package org.mammoth.mapreduce.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Finds the cluster's nodes through the ResourceManager and asks their NodeManagers for their
 * engines, at the JMX page under whatever HTTP authentication the cluster has.
 */
final class NodeDirectory {

  private static final String BEAN = "Hadoop:service=NodeManager,name=MammothEngines";
  private static final int TIMEOUT_MS = 5_000;

  private final Configuration conf;
  private final ObjectMapper json = new ObjectMapper();

  NodeDirectory(Configuration conf) {
    this.conf = conf;
  }

  /** Web addresses of running nodes; only those of {@code host} unless it is null. */
  List<String> webAddresses(String host) throws IOException, YarnException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(conf);
      yarn.start();
      return yarn.getNodeReports(NodeState.RUNNING).stream()
          .map(NodeReport::getHttpAddress)
          .filter(address -> host == null || matches(address, host))
          .sorted()
          .toList();
    }
  }

  private static boolean matches(String address, String host) {
    return address.equals(host) || address.substring(0, address.lastIndexOf(':')).equals(host);
  }

  /**
   * A node's engines, as its NodeManager reports them.
   *
   * @throws IOException if the node cannot be asked or has no Mammoth; the message says which
   */
  JsonNode engines(String webAddress) throws IOException {
    String scheme = YarnConfiguration.useHttps(conf) ? "https://" : "http://";
    URL url = new URL(scheme + webAddress + "/jmx?qry=" + BEAN);
    try {
      HttpURLConnection connection =
          new AuthenticatedURL().openConnection(url, new AuthenticatedURL.Token());
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      try (InputStream body = connection.getInputStream()) {
        JsonNode beans = json.readTree(body).path("beans");
        if (beans.isEmpty()) {
          throw new IOException(
              "this NodeManager has no Mammoth (yarn.nodemanager.container-executor.class)");
        }
        return json.readTree(beans.get(0).path("Status").asText());
      }
    } catch (AuthenticationException e) {
      throw new IOException("not allowed to read " + url + ": " + e.getMessage(), e);
    }
  }
}
