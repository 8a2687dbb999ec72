// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;
import org.mammoth.console.config.ConsoleKeys;

/**
 * Before all else: refuses requests that are addressed to another host's name, that a page of
 * another origin sent, or that bring a body, which no operation reads. Any thread.
 */
final class Gate extends HandlerWrapper {

  private final HostNames names;

  Gate(HostNames names) {
    this.names = names;
  }

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    String refusal = refusal(request);
    if (refusal == null) {
      super.handle(target, base, request, response);
      return;
    }
    base.setHandled(true);
    response.setHeader("X-Content-Type-Options", "nosniff");
    // What may still come of the request is not waited for.
    response.setHeader(HttpHeader.CONNECTION.asString(), "close");
    Errors.send(response, 403, refusal);
    base.getResponse().closeOutput();
    base.getHttpChannel().getEndPoint().shutdownOutput();
  }

  private String refusal(HttpServletRequest request) {
    String host = request.getHeader(HttpHeader.HOST.asString());
    String origin = request.getHeader(HttpHeader.ORIGIN.asString());
    if (!names.names(host, request.getLocalAddr())) {
      return "the console does not answer to this host name; "
          + ConsoleKeys.HOSTS.name()
          + " adds names";
    }
    if (origin != null && !names.owns(origin, host)) {
      return "a page of another origin asks; " + ConsoleKeys.HOSTS.name() + " adds origins";
    }
    String site = request.getHeader("Sec-Fetch-Site");
    if (origin == null
        && site != null
        && Set.of("cross-site", "same-site").contains(site)
        && !"navigate".equals(request.getHeader("Sec-Fetch-Mode"))) {
      return "a page of another origin asks";
    }
    if (request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null) {
      return "no operation takes a body";
    }
    return null;
  }
}
