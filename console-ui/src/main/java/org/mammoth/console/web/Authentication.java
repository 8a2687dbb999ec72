// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import java.util.List;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.server.ProxyUserAuthenticationFilter;
import org.eclipse.jetty.util.MultiMap;
import org.eclipse.jetty.util.UrlEncoded;

/**
 * Hadoop's authentication, and before it the sessions that a token opened. A request is proven if
 * it belongs to such a session, or if users have to authenticate at all; a name that is only
 * claimed is not.
 */
final class Authentication extends ProxyUserAuthenticationFilter {

  private static final String PROVEN = Authentication.class.getName() + ".proven";
  private static final String USER = "user.name";

  private final transient Sessions sessions;
  private final transient AuditLog audit;
  private final boolean secureCookies;

  /**
   * @param sessions null where users have to authenticate
   */
  Authentication(Sessions sessions, AuditLog audit, boolean secureCookies) {
    this.sessions = sessions;
    this.audit = audit;
    this.secureCookies = secureCookies;
  }

  /** Whether anyone may claim any name. */
  static boolean claimsSuffice(Configuration conf) {
    String type = conf.getTrimmed("hadoop.http.authentication.type", "simple");
    return type.equals("simple") || type.endsWith(".PseudoAuthenticationHandler");
  }

  /** Whether the user of a request is more than a claim. */
  static boolean proven(HttpServletRequest request) {
    return Boolean.TRUE.equals(request.getAttribute(PROVEN));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    if (sessions == null) {
      request.setAttribute(PROVEN, true);
      super.doFilter(request, response, chain);
      return;
    }
    MultiMap<String> query = query(asked);
    List<String> claims = query.getOrDefault(USER, List.of());
    if (query.containsKey("token") && asked.getServletPath().matches("/|/index\\.html|")) {
      open(asked, (HttpServletResponse) response, query.getValue("token", 0), claims);
      return;
    }
    String user = sessions.user(asked);
    boolean other = query.keySet().stream().anyMatch("doAs"::equalsIgnoreCase);
    if (user != null && !other && claims.stream().allMatch(user::equals)) {
      request.setAttribute(PROVEN, true);
      chain.doFilter(named(asked, user), response);
    } else {
      super.doFilter(request, response, chain);
    }
  }

  private static MultiMap<String> query(HttpServletRequest request) {
    MultiMap<String> query = new MultiMap<>();
    if (request.getQueryString() != null) {
      try {
        UrlEncoded.decodeUtf8To(request.getQueryString(), query);
      } catch (RuntimeException e) {
        // What cannot be decoded claims nothing; whoever reads it next says so.
        query.clear();
      }
    }
    return query;
  }

  private void open(
      HttpServletRequest request, HttpServletResponse response, String token, List<String> claims)
      throws IOException {
    String id =
        claims.size() > 1
            ? null
            : sessions.open(
                token, claims.isEmpty() || claims.get(0).isEmpty() ? null : claims.get(0));
    boolean opened = id != null;
    AuditLog.Entry entry =
        new AuditLog.Entry(String.join(",", claims), request.getRemoteAddr(), "session", "");
    if (opened) {
      audit.after(entry, 303);
    } else {
      audit.refused(entry, 403);
    }
    if (!opened && sessions.user(request) == null) {
      Errors.send(
          response,
          403,
          "this token opens nothing: it was used before, or is of an earlier start. The present"
              + " address is in "
              + sessions.file());
      return;
    }
    String base = request.getContextPath() + "/";
    if (opened) {
      response.addHeader(
          "Set-Cookie",
          sessions.cookie()
              + "="
              + id
              + "; Path="
              + base
              + "; HttpOnly; SameSite=Strict"
              + (secureCookies ? "; Secure" : ""));
    }
    // Not an address: that would be made of the Host header.
    response.setStatus(303);
    response.setHeader("Location", base);
    response.setHeader("Cache-Control", "no-store");
  }

  private static HttpServletRequest named(HttpServletRequest request, String user) {
    return new HttpServletRequestWrapper(request) {
      @Override
      public String getRemoteUser() {
        return user;
      }
    };
  }
}
