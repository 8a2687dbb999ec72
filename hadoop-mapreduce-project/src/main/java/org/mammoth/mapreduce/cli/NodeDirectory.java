// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.mammoth.api.Beans;
import org.mammoth.api.status.NodeDecisions;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.StatusJson;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;

/**
 * Finds the cluster's nodes through the ResourceManager and asks their NodeManagers for their
 * engines, at the JMX page under whatever HTTP authentication the cluster has.
 */
final class NodeDirectory {

  private static final int TIMEOUT_MS = 5_000;

  private final Configuration conf;
  private final ObjectMapper json = new ObjectMapper();
  private final StatusJson status = new StatusJson();

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
   * A node's engines in short, as its NodeManager knows them without asking them.
   *
   * @throws IOException if the node cannot be asked or has no Mammoth; the message says which
   */
  JsonNode engines(String webAddress) throws IOException {
    return json.readTree(attribute(webAddress, Beans.ENGINES, Beans.STATUS));
  }

  /**
   * All that a node's engines know about themselves.
   *
   * @throws IOException if the node cannot be asked or has no Mammoth; the message says which
   */
  NodeSnapshot snapshot(String webAddress) throws IOException {
    return status.read(attribute(webAddress, Beans.READINGS, Beans.SNAPSHOT), NodeSnapshot.class);
  }

  /**
   * The last decisions about memory of a node's engines.
   *
   * @throws IOException if the node cannot be asked or has no Mammoth; the message says which
   */
  NodeDecisions decisions(String webAddress) throws IOException {
    return status.read(attribute(webAddress, Beans.READINGS, Beans.DECISIONS), NodeDecisions.class);
  }

  /**
   * Has a node's engines forget files of HDFS that they keep in memory.
   *
   * @return the answer of {@link NodeAdminProtocol#dropCached}
   * @throws IOException if the node cannot be asked, takes no orders or has no Mammoth
   */
  JsonNode dropCached(String webAddress, String path) throws IOException {
    int port = Integer.parseInt(attribute(webAddress, Beans.READINGS, Beans.ADMIN_PORT));
    if (port <= 0) {
      throw new IOException(
          "this NodeManager takes no orders: its port could not be opened"
              + " (mammoth.engine.admin.port; its log says more)");
    }
    String host = webAddress.substring(0, webAddress.lastIndexOf(':'));
    NodeAdminProtocol node =
        RPC.getProxy(
            NodeAdminProtocol.class,
            NodeAdminProtocol.versionID,
            NetUtils.createSocketAddrForHost(host, port),
            conf);
    try {
      return json.readTree(node.dropCached(path).toString());
    } catch (RemoteException e) {
      throw e.unwrapRemoteException();
    } catch (ClassCastException e) {
      throw new IOException("it is of an earlier release: what it answers cannot be read", e);
    } finally {
      RPC.stopProxy(node);
    }
  }

  private String attribute(String webAddress, String bean, String name) throws IOException {
    String scheme = YarnConfiguration.useHttps(conf) ? "https://" : "http://";
    URL url = new URL(scheme + webAddress + Beans.page(bean, name));
    try {
      HttpURLConnection connection =
          new AuthenticatedURL().openConnection(url, new AuthenticatedURL.Token());
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      try (InputStream body = connection.getInputStream()) {
        JsonNode value = json.readTree(body).path("beans").path(0).path(name);
        if (value.isMissingNode()) {
          throw noMammoth();
        }
        return value.asText();
      }
    } catch (FileNotFoundException e) {
      throw noMammoth();
    } catch (AuthenticationException e) {
      throw new IOException("not allowed to read " + url + ": " + e.getMessage(), e);
    }
  }

  private static IOException noMammoth() {
    return new IOException(
        "this NodeManager has no Mammoth, or an older one"
            + " (yarn.nodemanager.container-executor.class)");
  }
}
