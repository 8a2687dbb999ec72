// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;

/**
 * So many of a thing for all clients together, and of these so many for each: who takes all there
 * is leaves none to others. A client is a user at an address; names that are only claimed are one
 * client, as anyone could claim many. Any thread.
 */
final class Shares {

  private final int all;
  private final int each;
  private final Map<String, Integer> taken = new HashMap<>();
  private int sum;

  Shares(int all, int each) {
    this.all = all;
    this.each = each;
  }

  /** Who a request comes from. */
  static String client(HttpServletRequest request, Viewer viewer) {
    String address = request.getRemoteAddr();
    return Authentication.proven(request) ? viewer.user() + "@" + address : address;
  }

  /** Takes one; {@link #release} gives it back. */
  synchronized boolean take(String client) {
    int own = taken.getOrDefault(client, 0);
    if (sum >= all || own >= each) {
      return false;
    }
    taken.put(client, own + 1);
    sum++;
    return true;
  }

  synchronized void release(String client) {
    int own = taken.getOrDefault(client, 0);
    if (own == 0) {
      return;
    }
    sum--;
    if (own == 1) {
      taken.remove(client);
    } else {
      taken.put(client, own - 1);
    }
  }

  synchronized int size() {
    return sum;
  }
}
