// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineSecretManager;
import org.mammoth.mapreduce.protocol.EngineTokenIdentifier;

/** Opens authenticated RPC connections to engines of this node. */
public final class EngineConnection {

  /** Of a class of its own, as Hadoop's clients share the configuration of those like them. */
  private static final class Sockets extends StandardSocketFactory {}

  private EngineConnection() {}

  /**
   * Makes a proxy; nothing is sent before the first call.
   *
   * @param timeoutMs after which a call without an answer fails
   */
  public static EngineProtocol open(
      Configuration base, EngineHome home, EngineHome.Address address, int timeoutMs)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(base);
    // The supervisor decides what a failed call means; waiting in here would hide a dead engine.
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_RETRY_INTERVAL_KEY, 100);
    conf.setBoolean(CommonConfigurationKeysPublic.IPC_CLIENT_TCPNODELAY_KEY, true);
    conf.setClassLoader(new AnswerClasses(base));
    InetSocketAddress where =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port());
    EngineTokenIdentifier identifier = new EngineTokenIdentifier(home.engineId());
    Token<EngineTokenIdentifier> token =
        new Token<>(identifier, new EngineSecretManager(home.secret()));
    SecurityUtil.setTokenService(token, where);
    UserGroupInformation caller =
        UserGroupInformation.createRemoteUser("mammoth-supervisor-of-" + home.engineId());
    caller.addToken(token);
    return caller.doAs(
        (PrivilegedExceptionAction<EngineProtocol>)
            () ->
                RPC.getProxy(
                    EngineProtocol.class,
                    EngineProtocol.versionID,
                    where,
                    caller,
                    conf,
                    new Sockets(),
                    timeoutMs));
  }
}
