// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.config.ConsoleKeys;

/**
 * By which names the console may be addressed, and from which origins its page may come. A foreign
 * name that resolves to this host (DNS rebinding) is none of them. Ports of names are not compared,
 * as a tunnel has another. Immutable; any thread.
 */
final class HostNames {

  private final Set<String> names = new HashSet<>();
  private final Set<String> origins = new HashSet<>();
  private final String scheme;

  /**
   * @throws IllegalArgumentException if an entry of the key is neither a name nor an origin
   */
  HostNames(Configuration conf) {
    scheme = ConsoleKeys.KEYSTORE.get(conf).isEmpty() ? "http" : "https";
    names.add("localhost");
    names.add("127.0.0.1");
    names.add("[::1]");
    names.add(bracketed(ConsoleKeys.BIND_HOST.get(conf)));
    try {
      InetAddress own = InetAddress.getLocalHost();
      names.add(lower(own.getHostName()));
      names.add(lower(own.getCanonicalHostName()));
    } catch (UnknownHostException e) {
      // A host that does not know its own name is addressed by the names of the key.
      names.add("localhost");
    }
    for (String entry : ConsoleKeys.HOSTS.get(conf).split("[\\s,]+")) {
      if (!entry.isEmpty()) {
        admit(conf, entry);
      }
    }
  }

  private void admit(Configuration conf, String entry) {
    boolean origin = entry.matches("https?://.*");
    String host = host(entry.replaceFirst("^https?://", ""));
    if (host == null) {
      throw ConsoleKeys.HOSTS.refusal(
          conf,
          "'" + entry + "' is neither a host name nor an origin as https://gateway:8443",
          null);
    }
    names.add(host);
    if (origin) {
      origins.add(lower(entry));
    }
  }

  /**
   * Whether a request may be answered.
   *
   * @param hostHeader as it was sent, null for none
   * @param localAddress the address the connection came in at; an address is no name that could be
   *     rebound
   */
  boolean names(String hostHeader, String localAddress) {
    String host = hostHeader == null ? null : host(hostHeader);
    return host != null && (names.contains(host) || host.equals(bracketed(localAddress)));
  }

  /** Whether a page of this origin is the console's own, or one that the key admits. */
  boolean owns(String origin, String hostHeader) {
    String asked = lower(origin);
    return origins.contains(asked) || asked.equals(lower(scheme + "://" + hostHeader));
  }

  /** The host of a Host header in lower case, without its port; null if it is none. */
  static String host(String authority) {
    try {
      URI uri = URI.create("http://" + authority);
      boolean bare = authority.equals(uri.getRawAuthority()) && uri.getRawUserInfo() == null;
      return bare && uri.getHost() != null ? lower(uri.getHost()) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String bracketed(String address) {
    String plain = lower(address).replaceFirst("%.*", "");
    return plain.contains(":") && !plain.startsWith("[") ? "[" + plain + "]" : plain;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
