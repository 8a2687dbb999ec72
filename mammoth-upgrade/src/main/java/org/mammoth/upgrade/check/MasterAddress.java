// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whether other hosts reach a cluster's master. Debian and Ubuntu give a host's own name the
 * address 127.0.1.1 in {@code /etc/hosts}: daemons that listen on their name are heard by nobody
 * else then.
 */
public final class MasterAddress {

  private MasterAddress() {}

  /**
   * What is wrong with a name; empty if nothing is, or if it is meant to be this host's alone.
   *
   * @param host as the configuration names it
   */
  public static Optional<Finding> check(String host) {
    return check(host, MasterAddress::resolved);
  }

  static Optional<Finding> check(String host, Function<String, Optional<InetAddress>> resolver) {
    if (host.isEmpty() || host.equals("0.0.0.0") || host.matches("localhost|127\\..*|::1")) {
      return Optional.empty();
    }
    return resolver
        .apply(host)
        .filter(InetAddress::isLoopbackAddress)
        .map(
            address ->
                Finding.warning(
                    "master-address",
                    host
                        + " is "
                        + address.getHostAddress()
                        + " here: daemons that listen on that name are not heard by other hosts",
                    "take that line out of /etc/hosts, or give the name its address there"));
  }

  /** The address of a name; empty if nobody knows it here. */
  public static Optional<InetAddress> resolved(String host) {
    try {
      return Optional.of(InetAddress.getByName(host));
    } catch (UnknownHostException unknown) {
      return Optional.empty();
    }
  }
}
