// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.mammoth.console.config.ConsoleKeys;

/** Who may see and do what. Immutable; any thread. */
final class AccessControl {

  private final AccessControlList admins;
  private final AccessControlList viewers;
  private final String anonymous;
  private final Path login;

  /**
   * @param login where the address is found that opens a session
   */
  AccessControl(Configuration conf, Path login) {
    this.login = login;
    // An empty list is nobody; Configuration trims the blank that says so.
    admins = new AccessControlList(list(ConsoleKeys.ACL_ADMIN.get(conf)));
    viewers = new AccessControlList(list(ConsoleKeys.ACL_VIEW.get(conf)));
    anonymous = conf.getTrimmed("hadoop.http.staticuser.user", "dr.who");
  }

  private static String list(String acl) {
    return acl.isBlank() ? " " : acl;
  }

  /** The rights of who sent a request; who did not say a name has Hadoop's static one. */
  Viewer viewer(HttpServletRequest request) {
    String claimed = request.getRemoteUser();
    UserGroupInformation ugi =
        UserGroupInformation.createRemoteUser(claimed == null ? anonymous : claimed);
    boolean listed = admins.isUserAllowed(ugi);
    boolean admin = listed && Authentication.proven(request);
    return new Viewer(
        ugi.getShortUserName(), admin, admin || viewers.isUserAllowed(ugi), listed && !admin);
  }

  /** Why a viewer may not act; empty for one who may. */
  String refusal(Viewer viewer) {
    if (viewer.admin()) {
      return "";
    }
    return viewer.unproven()
        ? viewer.user()
            + " is only a claimed name: open the console with the address in "
            + login
            + ", which has a token"
        : viewer.user() + " is no administrator (" + ConsoleKeys.ACL_ADMIN + ")";
  }

  /**
   * Refuses to serve where anyone may claim any name to everyone who reaches this host.
   *
   * @throws IllegalArgumentException naming the keys
   */
  static void checkBinding(Configuration conf) {
    String host = ConsoleKeys.BIND_HOST.get(conf);
    if (!Authentication.claimsSuffice(conf) || ConsoleKeys.ALLOW_UNAUTHENTICATED.get(conf)) {
      return;
    }
    boolean loopback;
    try {
      loopback = InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw ConsoleKeys.BIND_HOST.refusal(conf, "It is no known host", e);
    }
    if (!loopback) {
      throw new IllegalArgumentException(
          "The console does not listen on "
              + host
              + ": with hadoop.http.authentication.type=simple anyone who reaches it may claim any"
              + " name. Set hadoop.http.authentication.type to kerberos, or leave "
              + ConsoleKeys.BIND_HOST
              + " at 127.0.0.1, or set "
              + ConsoleKeys.ALLOW_UNAUTHENTICATED
              + " to true.");
    }
  }
}
