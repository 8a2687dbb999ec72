package org.mammoth.console.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.mammoth.console.config.ConsoleKeys;

/** Who may see and do what. Immutable; any thread. */
final class AccessControl {

  private final AccessControlList admins;
  private final AccessControlList viewers;
  private final String anonymous;

  AccessControl(Configuration conf) {
    // An empty list is nobody; Configuration trims the blank that says so.
    admins = new AccessControlList(list(ConsoleKeys.ACL_ADMIN.get(conf)));
    viewers = new AccessControlList(list(ConsoleKeys.ACL_VIEW.get(conf)));
    anonymous = conf.getTrimmed("hadoop.http.staticuser.user", "dr.who");
  }

  private static String list(String acl) {
    return acl.isBlank() ? " " : acl;
  }

  /** The rights of a user; null is somebody who did not say who they are. */
  Viewer viewer(String remoteUser) {
    String user = remoteUser == null ? anonymous : remoteUser;
    UserGroupInformation ugi = UserGroupInformation.createRemoteUser(user);
    boolean admin = admins.isUserAllowed(ugi);
    return new Viewer(ugi.getShortUserName(), admin, admin || viewers.isUserAllowed(ugi));
  }

  /**
   * Refuses to serve where anyone may claim any name to everyone who reaches this host.
   *
   * @throws IllegalArgumentException naming the keys
   */
  static void checkBinding(Configuration conf) {
    String host = ConsoleKeys.BIND_HOST.get(conf);
    String type = conf.getTrimmed("hadoop.http.authentication.type", "simple");
    if (!type.equals("simple") || ConsoleKeys.ALLOW_UNAUTHENTICATED.get(conf)) {
      return;
    }
    boolean loopback;
    try {
      loopback = InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "mammoth.console.bind-host is '" + host + "', which is no known host", e);
    }
    if (!loopback) {
      throw new IllegalArgumentException(
          "The console does not listen on "
              + host
              + ": with hadoop.http.authentication.type=simple anyone who reaches it may claim any"
              + " name. Set hadoop.http.authentication.type to kerberos, or leave"
              + " mammoth.console.bind-host at 127.0.0.1, or set"
              + " mammoth.console.allow-unauthenticated to true.");
    }
  }
}
