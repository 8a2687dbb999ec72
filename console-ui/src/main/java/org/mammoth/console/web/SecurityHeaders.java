// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/**
 * The first filter: headers that keep other sites away from the page, and refusal of methods nobody
 * needs and of actions another site's page could have sent.
 */
final class SecurityHeaders implements Filter {

  /** What a request that changes something has to carry; a foreign page cannot add it. */
  static final String CSRF_HEADER = "X-XSRF-HEADER";

  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final boolean tls;

  SecurityHeaders(boolean tls) {
    this.tls = tls;
  }

  @Override
  public void init(FilterConfig config) {
    // Nothing to set up.
  }

  @Override
  public void destroy() {
    // Nothing to give back.
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    answer.setHeader("Content-Security-Policy", CONTENT_POLICY);
    answer.setHeader("X-Content-Type-Options", "nosniff");
    answer.setHeader("X-Frame-Options", "DENY");
    answer.setHeader("Referrer-Policy", "no-referrer");
    answer.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    answer.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    answer.setHeader("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
    if (tls) {
      answer.setHeader("Strict-Transport-Security", "max-age=31536000");
    }
    String method = asked.getMethod();
    // Hadoop's own clients negotiate with OPTIONS.
    if (!Set.of("GET", "HEAD", "POST", "OPTIONS").contains(method)) {
      answer.setHeader("Allow", "GET, HEAD, POST, OPTIONS");
      Errors.send(answer, 405, method + " is not used here");
    } else if (method.equals("POST") && asked.getHeader(CSRF_HEADER) == null) {
      Errors.send(answer, 403, "an action has to carry the header " + CSRF_HEADER);
    } else {
      chain.doFilter(request, new OwnSite(answer));
    }
  }

  /** Cookies stay with requests of the console's own page, and redirects with the console. */
  private static final class OwnSite extends HttpServletResponseWrapper {

    OwnSite(HttpServletResponse response) {
      super(response);
    }

    private static String strict(String name, String value) {
      boolean bare = name.equalsIgnoreCase("Set-Cookie") && !value.contains("SameSite");
      return bare ? value + "; SameSite=Strict" : value;
    }

    @Override
    public void addHeader(String name, String value) {
      super.addHeader(name, strict(name, value));
    }

    @Override
    public void setHeader(String name, String value) {
      super.setHeader(name, strict(name, value));
    }

    @Override
    public void sendRedirect(String location) throws IOException {
      // An address made of the request has the Host header in it, which anyone may have written.
      super.sendRedirect(location.replaceFirst("^[A-Za-z]+://[^/]*", ""));
    }
  }
}
