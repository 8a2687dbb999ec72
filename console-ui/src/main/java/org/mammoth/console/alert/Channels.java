// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.config.ConfigKey;

/** The channels that are configured. */
final class Channels {

  private Channels() {}

  /**
   * Makes them; none is started yet.
   *
   * @throws IllegalArgumentException naming the key that has a value it must not have
   */
  static List<Channel> of(Configuration conf) throws IOException {
    List<Channel> channels = new ArrayList<>();
    Channel webhook = Webhook.of(conf);
    if (webhook != null) {
      channels.add(webhook);
    }
    Channel mail = Mail.of(conf);
    if (mail != null) {
      channels.add(mail);
    }
    return channels;
  }

  /** The value of a key that may be in a credential store. */
  static String secret(Configuration conf, ConfigKey<String> key) throws IOException {
    char[] stored = conf.getPassword(key.name());
    return stored == null ? "" : new String(stored).trim();
  }

  /** Why something failed, for people. */
  static String text(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
