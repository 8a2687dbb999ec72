// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.tool;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.hdfs.rpc.MasterAddresses;
import org.mammoth.hdfs.rpc.MasterProxies;
import org.mammoth.mpcache.config.MpCacheKeys;

/** Finds the active master among a nameservice's NameNodes. For one thread. */
final class Masters implements Closeable {

  private static final int TIMEOUT_MS = 60_000;

  /** One question. */
  @FunctionalInterface
  interface Question {
    Text ask(AdminProtocol master) throws IOException;
  }

  private final Configuration conf;
  private final List<AdminProtocol> opened = new ArrayList<>();

  Masters(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Asks the active master.
   *
   * @throws IOException if it refuses, or none is active
   */
  String ask(Question question) throws IOException {
    List<String> silent = new ArrayList<>();
    for (InetSocketAddress address : MasterAddresses.of(conf)) {
      try {
        AdminProtocol master = MasterProxies.open(AdminProtocol.class, address, conf, TIMEOUT_MS);
        opened.add(master);
        return question.ask(master).toString();
      } catch (RemoteException e) {
        if (!(e.unwrapRemoteException() instanceof StandbyException)) {
          throw e.unwrapRemoteException();
        }
        silent.add(address + " is on standby");
      } catch (ClassCastException e) {
        throw new IOException(
            "the NameNode at "
                + address
                + " is of an earlier release, whose answers are cut off; use its own commands",
            e);
      } catch (IOException e) {
        silent.add(address + ": " + e.getMessage());
      }
    }
    throw new IOException(
        "no master of the SSD cache answers; see "
            + MpCacheKeys.ENABLED.name()
            + " and "
            + MpCacheKeys.MASTER_PORT.name()
            + " of the NameNodes: "
            + silent);
  }

  @Override
  public void close() {
    opened.forEach(RPC::stopProxy);
  }
}
