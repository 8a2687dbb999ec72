// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;

/** A daemon did not do what it was asked, and why. */
public final class OrderException extends Exception {

  private static final long serialVersionUID = 1;

  private static final Set<String> BAD_REQUEST =
      Set.of(
          "org.apache.hadoop.fs.InvalidRequestException",
          "org.apache.hadoop.fs.InvalidPathException",
          "org.apache.hadoop.HadoopIllegalArgumentException");

  private final int status;

  OrderException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The HTTP status that says the same. */
  public int status() {
    return status;
  }

  /**
   * What a failed call means.
   *
   * @param who was asked
   * @param self the console's own user, for the key that lets it act for others
   */
  static OrderException of(IOException failure, String who, String self) {
    if (!(failure instanceof RemoteException remote)) {
      return new OrderException(502, who + " does not answer: " + line(failure));
    }
    String kind = remote.getClassName();
    String text = line(remote);
    if (AuthorizationException.class.getName().equals(kind)) {
      return new OrderException(
          403, text + " (hadoop.proxyuser." + self + ".* in core-site.xml of " + who + ")");
    }
    if (AccessControlException.class.getName().equals(kind)) {
      return new OrderException(403, text);
    }
    if (BAD_REQUEST.contains(kind)) {
      return new OrderException(400, text);
    }
    if (FileNotFoundException.class.getName().equals(kind)) {
      return new OrderException(404, text);
    }
    if (text.contains("NoSuchMethod")) {
      return new OrderException(409, who + " is of an earlier release, which cannot do this");
    }
    return new OrderException(502, who + " failed: " + text);
  }

  private static String line(IOException failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("").trim();
  }
}
