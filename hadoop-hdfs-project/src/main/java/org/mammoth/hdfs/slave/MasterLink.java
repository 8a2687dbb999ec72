// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.mammoth.hdfs.rpc.MasterProxies;
import org.mammoth.hdfs.rpc.SlaveProtocol;
import org.mammoth.hdfs.rpc.WireReply;
import org.mammoth.hdfs.rpc.WireReport;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.SlaveReport;

/** One NameNode's master, connected to when it is first asked. Safe for any thread. */
final class MasterLink implements Master {

  private static final int TIMEOUT_MS = 10_000;

  private final Configuration conf;
  private final InetSocketAddress address;

  @GuardedBy("this")
  private SlaveProtocol proxy;

  MasterLink(Configuration conf, InetSocketAddress address) {
    this.conf = conf;
    this.address = address;
  }

  private synchronized SlaveProtocol proxy() throws IOException {
    if (proxy == null) {
      proxy = MasterProxies.open(SlaveProtocol.class, address, conf, TIMEOUT_MS);
    }
    return proxy;
  }

  @Override
  public MasterReply report(long epoch, SlaveReport report) throws IOException {
    return proxy().report(new WireReport(epoch, report)).reply();
  }

  @Override
  public MasterReply makeRoom(String slave, long bytes) throws IOException {
    WireReply answer = proxy().makeRoom(slave, bytes);
    return answer.reply();
  }

  @Override
  public synchronized void close() {
    if (proxy != null) {
      RPC.stopProxy(proxy);
      proxy = null;
    }
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
