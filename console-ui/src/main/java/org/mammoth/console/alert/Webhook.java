// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.api.Request;
import org.eclipse.jetty.client.util.BytesContentProvider;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.mammoth.console.config.AlertKeys;

/**
 * Posts notifications to an address, as Alertmanager does. It has an HTTP client of its own: the
 * one that reads daemons proves who the console is, which is no stranger's business. It follows no
 * redirect.
 */
final class Webhook implements Channel {

  private static final long DEADLINE_MS = 10_000;

  private final ObjectMapper json = new ObjectMapper();
  private final URI address;
  private final String authorization;
  private final HttpClient client;

  private Webhook(URI address, String authorization) {
    this.address = address;
    this.authorization = authorization;
    client = new HttpClient(new SslContextFactory.Client());
    QueuedThreadPool threads = new QueuedThreadPool(6, 1);
    threads.setName("console-webhook");
    threads.setDaemon(true);
    client.setExecutor(threads);
    client.setMaxConnectionsPerDestination(2);
    client.setConnectTimeout(DEADLINE_MS);
    client.setUserAgentField(null);
  }

  /** Null if none is configured. */
  static Webhook of(Configuration conf) throws IOException {
    String text = Channels.secret(conf, AlertKeys.WEBHOOK);
    if (text.isEmpty()) {
      return null;
    }
    try {
      URI address = URI.create(text);
      String scheme = String.valueOf(address.getScheme());
      if (address.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return new Webhook(address, Channels.secret(conf, AlertKeys.WEBHOOK_AUTHORIZATION));
      }
    } catch (IllegalArgumentException e) {
      // What it says has the address in it, which may be a secret.
      throw new IllegalArgumentException(AlertKeys.WEBHOOK.name() + " is no address");
    }
    throw new IllegalArgumentException(
        AlertKeys.WEBHOOK.name() + " is no address with http or https and a host");
  }

  @Override
  public String name() {
    return "webhook";
  }

  @Override
  public String target() {
    // Such addresses are often secret but for their host.
    return address.getScheme()
        + "://"
        + address.getHost()
        + (address.getPort() < 0 ? "" : ":" + address.getPort());
  }

  @Override
  public void start() throws Exception {
    client.start();
  }

  @Override
  public CompletableFuture<Void> send(Notification notification) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    byte[] body;
    try {
      body = json.writeValueAsBytes(notification);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a notification is always JSON", e);
    }
    Request request =
        client
            .newRequest(address)
            .method(HttpMethod.POST)
            .followRedirects(false)
            .timeout(DEADLINE_MS, TimeUnit.MILLISECONDS)
            .content(new BytesContentProvider("application/json", body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    request.send(
        result -> {
          int status = result.getResponse() == null ? 0 : result.getResponse().getStatus();
          if (result.isFailed()) {
            answer.completeExceptionally(new IOException(words(result.getFailure())));
          } else if (status / 100 != 2) {
            answer.completeExceptionally(new IOException(target() + " answers " + status));
          } else {
            answer.complete(null);
          }
        });
    return answer;
  }

  private String words(Throwable failure) {
    if (failure instanceof TimeoutException) {
      return target() + " does not answer within " + DEADLINE_MS / 1000 + " s";
    }
    if (failure instanceof UnknownHostException
        || failure.getCause() instanceof java.nio.channels.UnresolvedAddressException) {
      return address.getHost() + " is no known host";
    }
    // Others may name the address.
    return failure instanceof ConnectException
        ? target() + " cannot be reached: " + failure.getMessage()
        : target() + " cannot be reached: " + failure.getClass().getSimpleName();
  }

  @Override
  public void close() throws Exception {
    client.stop();
  }
}
