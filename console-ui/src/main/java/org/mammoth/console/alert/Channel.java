// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.concurrent.CompletableFuture;

/** A way to tell people of alerts. Any thread. */
interface Channel extends AutoCloseable {

  /** Webhook, or e-mail. */
  String name();

  /** Where it leads, with nothing secret in it. */
  String target();

  /** Begins to be of use. */
  void start() throws Exception;

  /**
   * Sends, without waiting.
   *
   * @return completes when it was accepted, which may take as long as its server may;
   *     exceptionally, with a message for people that has no secret, if it was not. What is
   *     cancelled before its turn is not sent
   */
  CompletableFuture<Void> send(Notification notification);
}
