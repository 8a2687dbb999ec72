// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineSecretManager;

/** Opens an engine's RPC port: on the loopback interface, for the holder of its token alone. */
public final class EngineServer {

  private static final int HANDLERS = 8;

  private EngineServer() {}

  /** Starts serving on a port of the system's choice. */
  public static Server start(Configuration base, EngineHome home, EngineProtocol engine)
      throws IOException {
    Configuration conf = new Configuration(base);
    // Token only: whoever does not hold the secret is refused, whatever the cluster's setting.
    conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "TOKEN");
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false);
    conf.setBoolean(CommonConfigurationKeysPublic.IPC_SERVER_TCPNODELAY_KEY, true);
    Server server =
        new RPC.Builder(conf)
            .setProtocol(EngineProtocol.class)
            .setInstance(engine)
            .setBindAddress(InetAddress.getLoopbackAddress().getHostAddress())
            .setPort(0)
            .setNumHandlers(HANDLERS)
            .setSecretManager(new EngineSecretManager(home.secret()))
            .build();
    server.start();
    return server;
  }
}
