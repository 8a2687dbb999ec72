// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.mammoth.mpcache.config.MpCacheKeys;

/**
 * Where masters of the SSD cache listen: on the NameNodes' hosts, at {@code
 * mammoth.mpcache.master.port}, which name service and NameNode may follow. The rule of addresses
 * is HDFS's, restated, as its jars are not on the console's class path.
 */
final class CacheMasters {

  private CacheMasters() {}

  /** Of the first name service, as only that one is cached. */
  static List<InetSocketAddress> of(Configuration conf) {
    List<InetSocketAddress> masters = new ArrayList<>();
    String[] services = conf.getTrimmedStrings("dfs.nameservices");
    if (services.length > 0) {
      String service = services[0];
      for (String id : conf.getTrimmedStrings("dfs.ha.namenodes." + service)) {
        add(masters, conf, service, id);
      }
      if (masters.isEmpty()) {
        add(masters, conf, service, "");
      }
    }
    if (masters.isEmpty()) {
      add(masters, conf, "", "");
    }
    return masters;
  }

  private static void add(
      List<InetSocketAddress> masters, Configuration conf, String service, String id) {
    String suffix = (service.isEmpty() ? "" : "." + service) + (id.isEmpty() ? "" : "." + id);
    String address =
        conf.getTrimmed(
            "dfs.namenode.servicerpc-address" + suffix,
            conf.getTrimmed("dfs.namenode.rpc-address" + suffix));
    String host = null;
    if (address != null) {
      host = NetUtils.createSocketAddr(address, 0).getHostString();
    } else if (suffix.isEmpty()) {
      host = URI.create(conf.getTrimmed("fs.defaultFS", "file:///")).getHost();
    }
    if (host != null) {
      int port = MpCacheKeys.MASTER_PORT.get(conf, service, id).intValue();
      masters.add(NetUtils.createSocketAddrForHost(host, port));
    }
  }
}
