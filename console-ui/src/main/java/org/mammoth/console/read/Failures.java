// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.io.EOFException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.HttpResponseException;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.model.NodeState.Reach;

/** What a failed reading means. */
final class Failures {

  private Failures() {}

  static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  static String text(Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof TimeoutException) {
      return "no answer in time (" + ConsoleKeys.DEADLINE_MS + ")";
    }
    if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
      return "its name is unknown to the console's host";
    }
    if (cause instanceof EOFException || cause instanceof ClosedChannelException) {
      return "it closed the connection without an answer";
    }
    String message = cause.getMessage();
    return message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
  }

  static Reach reach(Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof TimeoutException) {
      return Reach.SLOW;
    }
    if (cause instanceof ClusterHttp.StatusException status) {
      return status.status() == 401 || status.status() == 403 ? Reach.REFUSED : Reach.FOREIGN;
    }
    if (cause instanceof HttpResponseException refused && refused.getResponse() != null) {
      // How the client puts a challenge it cannot meet.
      int status = refused.getResponse().getStatus();
      return status == 401 || status == 407 ? Reach.REFUSED : Reach.FOREIGN;
    }
    return cause instanceof RuntimeException ? Reach.FOREIGN : Reach.GONE;
  }
}
