// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Server-sent events: a snapshot, then once a second what changed. */
final class StreamServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  private final transient StreamHub hub;
  private final transient AccessControl access;

  StreamServlet(StreamHub hub, AccessControl access) {
    this.hub = hub;
    this.access = access;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Viewer viewer = access.viewer(request);
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("utf-8");
    response.setHeader("Cache-Control", "no-store");
    // Asks reverse proxies of nginx's kind not to hold events back.
    response.setHeader("X-Accel-Buffering", "no");
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    StreamClient client = new StreamClient(hub, context, viewer, Shares.client(request, viewer));
    context.addListener(client);
    if (!hub.add(client)) {
      response.setStatus(503);
      response.setHeader("Retry-After", "10");
      context.complete();
      return;
    }
    response.getOutputStream().setWriteListener(client);
  }
}
