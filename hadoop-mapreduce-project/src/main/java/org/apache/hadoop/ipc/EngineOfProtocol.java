// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.ipc;

import org.apache.hadoop.conf.Configuration;

/**
 * Sets by which engine this JVM speaks a protocol, in no configuration: those go on to jobs that
 * the JVM submits, and so to nodes that have not the engine's class.
 *
 * <p>In Hadoop's package because {@code RPC.getProtocolEngine}, which remembers what it has once
 * answered, is package-private.
 */
public final class EngineOfProtocol {

  private EngineOfProtocol() {}

  /** Sets it; nothing if the JVM has one for the protocol already. */
  public static void set(Class<?> protocol, Class<? extends RpcEngine> engine) {
    Configuration names = new Configuration(false);
    RPC.setProtocolEngine(names, protocol, engine);
    RPC.getProtocolEngine(protocol, names);
  }
}
