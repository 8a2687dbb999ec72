// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Sends an answer that may wait for its reader without a thread, and ends it if it is not read in
 * time.
 */
final class AsyncBody implements WriteListener, AsyncListener {

  private static final long TIMEOUT_MS = 30_000;

  private final AsyncContext context;
  private final ServletOutputStream out;
  private byte[] body;

  private AsyncBody(AsyncContext context, ServletOutputStream out, byte[] body) {
    this.context = context;
    this.out = out;
    this.body = body;
  }

  /** Sends the rest of an answer whose head is set. */
  static void send(HttpServletRequest request, HttpServletResponse response, byte[] body)
      throws IOException {
    AsyncContext context = request.startAsync();
    context.setTimeout(TIMEOUT_MS);
    AsyncBody sending = new AsyncBody(context, response.getOutputStream(), body);
    context.addListener(sending);
    response.getOutputStream().setWriteListener(sending);
  }

  @Override
  public void onWritePossible() throws IOException {
    while (out.isReady()) {
      if (body == null) {
        context.complete();
        return;
      }
      byte[] whole = body;
      body = null;
      out.write(whole);
    }
  }

  private void end() {
    try {
      context.complete();
    } catch (IllegalStateException e) {
      // The container ended it first.
      return;
    }
  }

  @Override
  public void onError(Throwable failure) {
    end();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    end();
  }

  @Override
  public void onError(AsyncEvent event) {
    end();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    // Nothing is held.
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // Started once.
  }
}
