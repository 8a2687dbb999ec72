// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.config.ConfigKey;
import org.mammoth.console.config.ConsoleKeys;

/**
 * Where the masters are, from the console's own keys or from the cluster's configuration. The
 * defaults of HDFS and YARN are restated here, as their jars are not on the console's class path.
 *
 * @param resourceManagers origins, the active one unknown
 * @param nameNodes origins of all name spaces
 * @param historyServer origin
 * @param nodeScheme http or https, of NodeManagers
 * @param dataNodeScheme of DataNodes
 */
public record Addresses(
    List<String> resourceManagers,
    List<String> nameNodes,
    String historyServer,
    String nodeScheme,
    String dataNodeScheme) {

  /** Reads them from a configuration that has the cluster's site files. */
  public static Addresses of(Configuration conf) {
    boolean yarnTls = conf.getTrimmed("yarn.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY");
    boolean hdfsTls = conf.getTrimmed("dfs.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY");
    boolean mapredTls =
        conf.getTrimmed("mapreduce.jobhistory.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY");
    return new Addresses(
        list(conf, ConsoleKeys.RESOURCEMANAGERS, () -> resourceManagers(conf, yarnTls)),
        list(conf, ConsoleKeys.NAMENODES, () -> nameNodes(conf, hdfsTls)),
        list(conf, ConsoleKeys.HISTORYSERVER, () -> historyServer(conf, mapredTls)).get(0),
        yarnTls ? "https" : "http",
        hdfsTls ? "https" : "http");
  }

  private static List<String> list(
      Configuration conf, ConfigKey<String> own, Supplier<List<String>> configured) {
    if (own.get(conf).isEmpty()) {
      return configured.get();
    }
    List<String> origins = List.of(own.get(conf).split("\\s*,\\s*"));
    for (String origin : origins) {
      if (!ClusterHttp.isOrigin(origin)) {
        throw own.refusal(conf, "'" + origin + "' is not of the form http://host:port", null);
      }
    }
    return origins;
  }

  private static String origin(boolean tls, String address) {
    String known = address.replaceFirst("^0\\.0\\.0\\.0:", "localhost:");
    return (tls ? "https://" : "http://") + known;
  }

  private static List<String> resourceManagers(Configuration conf, boolean tls) {
    String key =
        tls ? "yarn.resourcemanager.webapp.https.address" : "yarn.resourcemanager.webapp.address";
    String port = tls ? ":8090" : ":8088";
    List<String> origins = new ArrayList<>();
    if (conf.getBoolean("yarn.resourcemanager.ha.enabled", false)) {
      for (String id : conf.getTrimmedStrings("yarn.resourcemanager.ha.rm-ids")) {
        String host = conf.getTrimmed("yarn.resourcemanager.hostname." + id, id);
        origins.add(origin(tls, conf.getTrimmed(key + "." + id, host + port)));
      }
    }
    if (origins.isEmpty()) {
      String host = conf.getTrimmed("yarn.resourcemanager.hostname", "localhost");
      origins.add(origin(tls, conf.getTrimmed(key, host + port)));
    }
    return origins;
  }

  private static List<String> nameNodes(Configuration conf, boolean tls) {
    String key = tls ? "dfs.namenode.https-address" : "dfs.namenode.http-address";
    String port = tls ? ":9871" : ":9870";
    List<String> origins = new ArrayList<>();
    for (String service : conf.getTrimmedStrings("dfs.nameservices")) {
      for (String id : conf.getTrimmedStrings("dfs.ha.namenodes." + service)) {
        String address = conf.getTrimmed(key + "." + service + "." + id);
        if (address != null) {
          origins.add(origin(tls, address));
        }
      }
      String address = conf.getTrimmed(key + "." + service);
      if (address != null) {
        origins.add(origin(tls, address));
      }
    }
    if (origins.isEmpty()) {
      String host = URI.create(conf.getTrimmed("fs.defaultFS", "file:///")).getHost();
      origins.add(origin(tls, conf.getTrimmed(key, (host == null ? "localhost" : host) + port)));
    }
    return origins;
  }

  private static List<String> historyServer(Configuration conf, boolean tls) {
    String key =
        tls ? "mapreduce.jobhistory.webapp.https.address" : "mapreduce.jobhistory.webapp.address";
    return List.of(origin(tls, conf.getTrimmed(key, "localhost" + (tls ? ":19890" : ":19888"))));
  }
}
