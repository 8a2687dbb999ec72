// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.mammoth.console.config.ConsoleKeys;

/**
 * Calls daemons in the name of whoever asks the console, as a proxy user: a daemon judges by that
 * user's rights, and by {@code hadoop.proxyuser.*} whether the console may act for them. At most so
 * many calls at once, as each holds a thread of the web server. Any thread.
 */
final class Rpc {

  private static final int AT_ONCE = 8;

  private final Configuration conf;
  private final Semaphore calls = new Semaphore(AT_ONCE);
  private UserGroupInformation self;

  Rpc(Configuration base) {
    this.conf = new Configuration(base);
    // Somebody waits for the answer and can ask again.
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
  }

  /** One question. */
  interface Question<P> {
    Text ask(P daemon) throws IOException;
  }

  /**
   * Asks.
   *
   * @param user in whose name
   * @param who names the daemon in errors
   * @throws IOException as the daemon or the network has it
   * @throws OrderException if the console cannot ask now
   */
  <P> String ask(
      Class<P> protocol,
      InetSocketAddress address,
      int timeoutMs,
      String user,
      Question<P> question)
      throws IOException, OrderException {
    if (!calls.tryAcquire()) {
      throw new OrderException(
          503, AT_ONCE + " calls to daemons wait for their answers; try again later");
    }
    try {
      return as(user)
          .doAs(
              (PrivilegedExceptionAction<String>)
                  () -> {
                    P daemon = open(protocol, address, timeoutMs);
                    try {
                      return question.ask(daemon).toString();
                    } catch (ClassCastException e) {
                      // Its answer is of another type, which was cut off beyond 21,845 letters.
                      throw new IOException("it is of an earlier release: upgrade it", e);
                    } finally {
                      RPC.stopProxy(daemon);
                    }
                  });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OrderException(503, "the console is being stopped");
    } finally {
      calls.release();
    }
  }

  private <P> P open(Class<P> protocol, InetSocketAddress address, int timeoutMs)
      throws IOException {
    Configuration limits = new Configuration(conf);
    limits.setInt("ipc.client.connect.timeout", timeoutMs);
    return RPC.getProxy(
        protocol,
        RPC.getProtocolVersion(protocol),
        address,
        UserGroupInformation.getCurrentUser(),
        limits,
        NetUtils.getDefaultSocketFactory(limits),
        timeoutMs);
  }

  private UserGroupInformation as(String user) throws IOException {
    UserGroupInformation own = self();
    return own.getShortUserName().equals(user)
        ? own
        : UserGroupInformation.createProxyUser(user, own);
  }

  /** The console's own user: that of its key tab, or of its process. */
  synchronized UserGroupInformation self() throws IOException {
    String principal = ConsoleKeys.KERBEROS_PRINCIPAL.get(conf);
    if (self == null && UserGroupInformation.isSecurityEnabled() && !principal.isEmpty()) {
      self =
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(
              SecurityUtil.getServerPrincipal(principal, ""),
              ConsoleKeys.KERBEROS_KEYTAB.get(conf));
    } else if (self == null) {
      self = UserGroupInformation.getLoginUser();
    }
    if (self.isFromKeytab()) {
      self.checkTGTAndReloginFromKeytab();
    }
    return self;
  }
}
