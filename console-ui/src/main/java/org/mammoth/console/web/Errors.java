// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;

/** Errors as JSON: what happened, no stack and no product name. */
final class Errors extends ErrorHandler {

  private static final ObjectMapper JSON = new ObjectMapper();

  static void send(HttpServletResponse response, int status, String text) throws IOException {
    byte[] body = JSON.writeValueAsBytes(Map.of("error", text));
    response.setStatus(status);
    response.setContentType("application/json");
    response.setCharacterEncoding("utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.getOutputStream().write(body);
  }

  @Override
  protected void generateAcceptableResponse(
      Request base,
      HttpServletRequest request,
      HttpServletResponse response,
      int code,
      String message,
      String mimeType)
      throws IOException {
    base.setHandled(true);
    response.setContentType("application/json");
    response.setCharacterEncoding("utf-8");
    try (Writer writer =
        new java.io.OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8)) {
      String text = code >= 500 ? "the console failed; its log says more" : clean(code, message);
      writer.write(JSON.writeValueAsString(Map.of("error", text)));
    }
  }

  /** What is no HTTP, or no address, at all. */
  @Override
  public ByteBuffer badMessageError(int status, String reason, HttpFields fields) {
    String text = reason == null || reason.isEmpty() ? "status " + status : reason;
    fields.put(HttpHeader.CONTENT_TYPE, "application/json;charset=utf-8");
    fields.put("X-Content-Type-Options", "nosniff");
    try {
      return ByteBuffer.wrap(JSON.writeValueAsBytes(Map.of("error", text)));
    } catch (IOException e) {
      throw new IllegalStateException("a text is always JSON", e);
    }
  }

  private static String clean(int code, String message) {
    return message == null || message.isEmpty() ? "status " + code : message;
  }
}
