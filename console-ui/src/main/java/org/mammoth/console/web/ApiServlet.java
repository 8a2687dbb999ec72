// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.mammoth.console.config.ConsoleKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the routes below /api/v1. */
final class ApiServlet extends HttpServlet {

  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(ApiServlet.class);

  /** Parameters that Hadoop's authentication reads, in any case. */
  private static final Set<String> AUTHENTICATION =
      Set.of("user.name", "doas", "delegation", "renewer");

  /** Parameters that say what an action is about. */
  private static final List<String> SUBJECTS =
      List.of("path", "engine", "key", "rule", "fingerprint", "label", "minutes", "mute");

  /** Of the server's threads, how many may wait for daemons, and how many for one client. */
  static final int WAITING = 16;

  static final int WAITING_EACH = 6;

  private final transient Shares waiting = new Shares(WAITING, WAITING_EACH);
  private final transient List<Route> routes;
  private final transient AccessControl access;
  private final transient AuditLog audit;
  private final transient ObjectMapper json = Json.mapper();

  ApiServlet(List<Route> routes, AccessControl access, AuditLog audit) {
    this.routes = routes;
    this.access = access;
    this.audit = audit;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    serve(request, response);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    serve(request, response);
  }

  private void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Viewer viewer = access.viewer(request);
    String path = request.getPathInfo() == null ? "" : request.getPathInfo();
    String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    Asked asked =
        new Asked(
            new AuditLog.Entry(viewer.user(), request.getRemoteAddr(), path, subject(request)));
    Object answer = null;
    String error = null;
    int status = 200;
    try {
      answer = answer(request, viewer, path, method, asked);
    } catch (ApiException e) {
      status = e.status();
      error = e.getMessage();
    } catch (Exception e) {
      LOG.error("{} {} failed", method, path, e);
      status = 500;
      error = "the console failed; its log says more";
    }
    // Before the answer: whoever asked may be gone.
    if (method.equals("POST") || sensitive(path)) {
      became(asked, status);
    }
    if (error == null) {
      send(request, response, answer);
    } else {
      Errors.send(response, status, error);
    }
  }

  /** A request, and whether what it asks for was begun. */
  private static final class Asked {
    private final AuditLog.Entry entry;
    private boolean begun;

    Asked(AuditLog.Entry entry) {
      this.entry = entry;
    }
  }

  private void became(Asked asked, int status) {
    try {
      if (asked.begun || status < 400) {
        audit.after(asked.entry, status);
      } else {
        audit.refused(asked.entry, status);
      }
    } catch (IOException e) {
      LOG.error("What became of {} is not in the audit log: status {}", asked.entry, status, e);
    }
  }

  private void send(HttpServletRequest request, HttpServletResponse response, Object answer)
      throws IOException {
    byte[] body;
    if (answer instanceof Attachment file) {
      body = file.bytes();
      response.setContentType(file.contentType());
      response.setHeader("Content-Disposition", "attachment; filename=\"" + file.fileName() + "\"");
    } else {
      body = json.writeValueAsBytes(answer);
      response.setContentType("application/json");
      response.setCharacterEncoding("utf-8");
    }
    response.setHeader("Cache-Control", "no-store");
    AsyncBody.send(request, response, body);
  }

  private boolean sensitive(String path) {
    return routes.stream()
        .anyMatch(route -> route.right() == Route.Right.ADMIN && route.match(path) != null);
  }

  private static String subject(HttpServletRequest request) {
    StringBuilder subject = new StringBuilder();
    for (String name : SUBJECTS) {
      String value = request.getParameter(name);
      if (value != null) {
        subject.append(subject.length() == 0 ? "" : " ").append(value);
      }
    }
    return subject.toString();
  }

  private Object answer(
      HttpServletRequest request, Viewer viewer, String path, String method, Asked asked)
      throws Exception {
    boolean known = false;
    for (Route route : routes) {
      Map<String, String> found = route.match(path);
      if (found != null && !route.method().equals(method)) {
        known = true;
      } else if (found != null) {
        if (route.right() == Route.Right.ADMIN && !viewer.admin()) {
          throw new ApiException(403, access.refusal(viewer));
        }
        Call call = new Call(viewer, found, query(route, request));
        if (route.right() == Route.Right.ADMIN) {
          noted(asked.entry);
          asked.begun = true;
        }
        return route.waits()
            ? waited(route, call, Shares.client(request, viewer))
            : route.handler().answer(call);
      }
    }
    if (known) {
      throw new ApiException(405, path + " is not for " + method);
    }
    throw new ApiException(404, "there is nothing at this address; see openapi.json");
  }

  /** Threads that wait for daemons are few, and nobody's alone. */
  private Object waited(Route route, Call call, String client) throws Exception {
    if (!waiting.take(client)) {
      throw new ApiException(
          429, "too many requests wait for daemons; at most " + WAITING_EACH + " of one client do");
    }
    try {
      return route.handler().answer(call);
    } finally {
      waiting.release(client);
    }
  }

  private void noted(AuditLog.Entry entry) throws ApiException {
    try {
      audit.before(entry);
    } catch (IOException e) {
      LOG.error("{} is refused: the audit log cannot be written", entry, e);
      throw new ApiException(
          503,
          "nothing was done: the audit log cannot be written ("
              + ConsoleKeys.DIRECTORY
              + "): "
              + e.getMessage());
    }
  }

  private static Map<String, String> query(Route route, HttpServletRequest request)
      throws ApiException {
    Set<String> names = route.query().stream().map(Route.Param::name).collect(Collectors.toSet());
    Map<String, String> query = new HashMap<>();
    for (Map.Entry<String, String[]> given : request.getParameterMap().entrySet()) {
      String name = given.getKey();
      if (names.contains(name) && given.getValue().length == 1) {
        query.put(name, given.getValue()[0]);
      } else if (!AUTHENTICATION.contains(name.toLowerCase(java.util.Locale.ROOT))) {
        throw new ApiException(
            400, names.contains(name) ? name + " is given twice" : "there is no such parameter");
      }
    }
    return query;
  }
}
