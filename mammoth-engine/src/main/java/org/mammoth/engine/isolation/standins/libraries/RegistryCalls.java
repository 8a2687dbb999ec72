// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.rmi.server.LogStream;
import java.rmi.server.RemoteServer;
import java.time.zone.ZoneRulesProvider;
import javax.sql.rowset.spi.SyncFactory;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Precedes;

/**
 * What rewritten code calls before it enters something into registries that the JDK has once for a
 * JVM: the task goes on in a process of its own. Which there are is found by reading the JDK, see
 * JdkStateTest. Stateless, thread-safe.
 */
public final class RegistryCalls {
  private RegistryCalls() {}

  /** Before time zones get other rules. */
  @Precedes(value = ZoneRulesProvider.class, names = "registerProvider")
  public static void zones() {
    ProcessNeed.because("ZoneRulesProvider.registerProvider");
  }

  /** Before row sets get other providers. */
  @Precedes(
      value = SyncFactory.class,
      names = {"registerProvider", "unregisterProvider", "setJNDIContext", "setLogger"})
  public static void rowSets() {
    ProcessNeed.because("SyncFactory");
  }

  /** Before logs of remote calls go elsewhere. */
  @Precedes(
      value = LogStream.class,
      names = {"setDefaultStream", "log"})
  public static void remoteLogs() {
    ProcessNeed.because("LogStream");
  }

  /** Before calls of remote objects are logged. */
  @Precedes(value = RemoteServer.class, names = "setLog")
  public static void remoteCalls() {
    ProcessNeed.because("RemoteServer.setLog");
  }
}
