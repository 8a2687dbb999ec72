// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.api.Result;
import org.eclipse.jetty.client.util.BufferingResponseListener;
import org.eclipse.jetty.http.HttpHeader;

/**
 * GETs to daemons of the cluster, and to nothing else: an origin has to be admitted first, by the
 * configuration or by a daemon that was, and redirects are not followed. Nothing is ever sent but
 * GET.
 *
 * <p>Any thread; answers come on the client's threads.
 */
public final class ClusterHttp {

  private final HttpClient client;
  private final ObjectMapper json = new ObjectMapper();
  private final Set<String> origins = ConcurrentHashMap.newKeySet();
  private final String query;

  /** An answer that is not 200. */
  static final class StatusException extends IOException {
    private static final long serialVersionUID = 1;
    private final int status;

    StatusException(String url, int status, String reason) {
      super(url + " answers " + status + " " + reason);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  /**
   * @param client started by the caller, who also stops it
   * @param pseudoUser whom to claim to be where Hadoop's simple authentication wants a name; empty
   *     for nobody
   */
  public ClusterHttp(HttpClient client, String pseudoUser) {
    this.client = client;
    this.query = pseudoUser.isEmpty() ? "" : "user.name=" + pseudoUser;
    client.setFollowRedirects(false);
  }

  /** Whether a text is an origin: http or https, a host, a port, and no more. */
  static boolean isOrigin(String text) {
    try {
      URI uri = URI.create(text);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getPort() > 0
          && uri.getUserInfo() == null
          && text.equals(uri.getScheme() + "://" + uri.getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Allows requests to this origin; false if it is none. */
  public boolean admit(String origin) {
    return isOrigin(origin) && (origins.contains(origin) || origins.add(origin));
  }

  /** Forgets an origin that is part of the cluster no more. */
  void dismiss(String origin) {
    origins.remove(origin);
  }

  /** As {@link #getText}, the answer parsed. */
  public CompletableFuture<JsonNode> getJson(
      String origin, String path, long deadlineMs, int maxBytes) {
    return getText(origin, path, deadlineMs, maxBytes)
        .thenApply(
            text -> {
              try {
                return json.readTree(text);
              } catch (IOException e) {
                throw new IllegalArgumentException(origin + path + " answers no JSON", e);
              }
            });
  }

  /**
   * The body of one page.
   *
   * @param path with its query, beginning with /
   * @param maxBytes of the body; a longer one fails
   * @return fails with {@link TimeoutException}, {@link StatusException} or an I/O error
   */
  public CompletableFuture<byte[]> getText(
      String origin, String path, long deadlineMs, int maxBytes) {
    return get(origin, path, "application/json", deadlineMs, maxBytes);
  }

  /** As {@link #getText}, of a page that is plain text only, as logs are. */
  CompletableFuture<byte[]> getPlain(String origin, String path, long deadlineMs, int maxBytes) {
    return get(origin, path, "text/plain", deadlineMs, maxBytes);
  }

  private CompletableFuture<byte[]> get(
      String origin, String path, String type, long deadlineMs, int maxBytes) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    if (!origins.contains(origin)) {
      answer.completeExceptionally(new IOException(origin + " is not a daemon of this cluster"));
      return answer;
    }
    String url = origin + path;
    String full = query.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + query;
    try {
      send(full, url, type, deadlineMs, maxBytes, answer);
    } catch (RuntimeException e) {
      // What the client refuses at once is no answer either: who asks hears of it in one way.
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private void send(
      String full,
      String url,
      String type,
      long deadlineMs,
      int maxBytes,
      CompletableFuture<byte[]> answer) {
    client
        .newRequest(full)
        .timeout(deadlineMs, TimeUnit.MILLISECONDS)
        .header(HttpHeader.ACCEPT, type)
        .send(
            new BufferingResponseListener(maxBytes) {
              @Override
              public void onComplete(Result result) {
                if (result.isFailed()) {
                  answer.completeExceptionally(result.getFailure());
                } else if (result.getResponse().getStatus() != 200) {
                  answer.completeExceptionally(
                      new StatusException(
                          url,
                          result.getResponse().getStatus(),
                          String.valueOf(result.getResponse().getReason())));
                } else {
                  answer.complete(getContent());
                }
              }
            });
  }
}
